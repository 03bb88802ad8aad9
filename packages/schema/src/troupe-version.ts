/** The version of Troupe: what stands in the logs that it writes. */
export const troupeVersion = "0.1.0";

/**
 * Whether a log of another version may say what this one can't understand: a newer minor version may; patches change no format.
 *
 * @param version what the log says.
 */
export function isNewerVersion(version: string, own: string = troupeVersion): boolean {
  const [major, minor] = numbersOf(version);
  const [ownMajor, ownMinor] = numbersOf(own);
  return major > ownMajor || (major === ownMajor && minor > ownMinor);
}

function numbersOf(version: string): [major: number, minor: number] {
  const [, major = "0", minor = "0"] = /^(\d{1,9})\.(\d{1,9})/.exec(version) ?? [];
  return [Number(major), Number(minor)];
}
