import { posix, win32 } from "node:path";
import { dataDir, type Environment } from "@troupe/schema";

/**
 * Where runs are kept unless `--db` says otherwise: `runs.db` in Troupe's data folder.
 *
 * @param env environment variables, of which TROUPE_HOME, XDG_DATA_HOME and LOCALAPPDATA are looked at.
 * @param platform such as `process.platform`.
 * @param home the user's home folder.
 */
export function defaultDatabasePath(env: Environment, platform: string, home: string): string {
  const { join } = platform === "win32" ? win32 : posix;
  return join(dataDir(env, platform, home), "runs.db");
}
