import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

const folder = import.meta.dirname;

/** The peers with their versions, as the lock file has them. */
export function peerVersions() {
  const { dependencies } = readJson("package.json");
  const { packages } = readJson("package-lock.json");
  return Object.fromEntries(Object.keys(dependencies).map((name) => [name, packages[`node_modules/${name}`].version]));
}

/**
 * Installs the engines of the comparison as locked, unless they are there.
 *
 * @returns undefined, or what npm said when it could not.
 */
export function installPeers() {
  if (isInstalled()) return undefined;
  process.stderr.write("Installing the engines to compare with into test/bench/peers (once, about 80 MB) …\n");
  const options = { cwd: folder, encoding: "utf8", shell: process.platform === "win32" };
  const { status, error, stdout, stderr } = spawnSync("npm", ["ci", "--no-audit", "--no-fund"], options);
  return status === 0 ? undefined : `${error?.message ?? ""}${stdout ?? ""}${stderr ?? ""}`.trim();
}

/** Whether npm's own record agrees with the lock file. */
function isInstalled() {
  const record = "node_modules/.package-lock.json";
  if (!existsSync(join(folder, record))) return false;
  const have = readJson(record).packages;
  return Object.entries(readJson("package-lock.json").packages).every(
    ([path, { version, optional }]) => path === "" || optional || have[path]?.version === version,
  );
}

function readJson(name) {
  return JSON.parse(readFileSync(join(folder, name), "utf8"));
}
