/** Where an environment keeps its words: `process.env`, or a test's own. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The folder that holds all of Troupe's data on this machine: the database, the models, the state of the embedded model.
 *
 * `TROUPE_HOME` overrides the platform's convention: `$XDG_DATA_HOME/troupe` or `~/.local/share/troupe`,
 * `~/Library/Application Support/troupe` on macOS, `%LOCALAPPDATA%\troupe` on Windows. Pure: nothing is read or created.
 *
 * @param home the user's home folder.
 * @example
 * dataDir(process.env, process.platform, os.homedir()); // "/home/ada/.local/share/troupe"
 */
export function dataDir(env: Environment, platform: string, home: string): string {
  if (env["TROUPE_HOME"]) return env["TROUPE_HOME"];
  if (platform === "win32") return `${env["LOCALAPPDATA"] || `${home}\\AppData\\Local`}\\troupe`;
  if (platform === "darwin") return `${home}/Library/Application Support/troupe`;
  // The XDG specification says that relative values must be ignored.
  const xdg = env["XDG_DATA_HOME"];
  return `${xdg?.startsWith("/") ? xdg : `${home}/.local/share`}/troupe`;
}
