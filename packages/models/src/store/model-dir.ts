import { homedir } from "node:os";
import { resolve } from "node:path";
import { dataDir, type Environment } from "@troupe/schema";

/** The folder of the model store, absolute: `models` in Troupe's data folder. It need not exist yet. */
export function modelDir(env: Environment, platform: string = process.platform, home: string = homedir()): string {
  return resolve(dataDir(env, platform, home), "models");
}
