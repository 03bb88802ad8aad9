import { statfs } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname } from "node:path";
import { formatBytes } from "@troupe/models";
import { openRuns, readProject } from "@troupe/runtime";
import { dataDir, toTroupeError } from "@troupe/schema";
import type { TroupeContext } from "../../context.ts";
import type { DoctorFlags, Finding } from "./doctor.ts";

/** A run writes little; the default model needs the most room. */
const roomyBytes = 2e9;
const tightBytes = 2e8;

/** The version of Node. The command itself refuses versions that are too old. */
export function checkNode(): Promise<Finding[]> {
  return Promise.resolve([{ name: "node", state: "good", fact: `${process.version} on ${process.platform} ${process.arch}` }]);
}

/** The project file. */
export async function checkProject(context: TroupeContext, { models }: DoctorFlags): Promise<Finding[]> {
  try {
    const { path } = await readProject(context.cwd, models);
    const fact = path ?? "no troupe.yaml: all defaults";
    return [{ name: "project", state: "good", fact }];
  } catch (error) {
    const { message, problems } = toTroupeError(error);
    // A file that is not there or can't be read says itself what to do.
    const advice = problems.length === 0 ? {} : { advice: "mend these places" };
    return [{ name: "project", state: "bad", fact: message, ...advice }];
  }
}

/** Room where runs and models are kept. */
export async function checkDisk({ process: { env } }: TroupeContext): Promise<Finding[]> {
  const folder = dataDir(env, process.platform, homedir());
  const { bavail, bsize } = await statfsUpwards(folder);
  const free = bavail * bsize;
  const fact = `${formatBytes(free)} free in ${folder}`;
  if (free >= roomyBytes) return [{ name: "disk", state: "good", fact }];
  return [
    {
      name: "disk",
      state: free >= tightBytes ? "weak" : "bad",
      fact,
      advice: "make room, or set TROUPE_HOME to a folder on a larger disk",
    },
  ];
}

async function statfsUpwards(folder: string): Promise<{ bavail: number; bsize: number }> {
  try {
    return await statfs(folder);
  } catch (error) {
    if (folder === dirname(folder)) throw error;
    return statfsUpwards(dirname(folder));
  }
}

/** The database can be opened and read. */
export async function checkDatabase({ cwd, process: { env } }: TroupeContext, { models, db }: DoctorFlags): Promise<Finding[]> {
  try {
    const store = await openRuns({ cwd, env, project: models, db });
    try {
      const [newest] = store.list(1);
      return [{ name: "database", state: "good", fact: newest === undefined ? "no runs yet" : `newest run ${newest.run}` }];
    } finally {
      store.close();
    }
  } catch (error) {
    const { code, message } = toTroupeError(error);
    const advice = code === "internal" ? { advice: "use another database with --db" } : {};
    return [{ name: "database", state: "bad", fact: message, ...advice }];
  }
}
