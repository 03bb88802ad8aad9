// Gets a clone ready to work: checks Node, installs the packages and builds, each only when needed.
// Only node: modules are imported, because it runs before anything is installed.

import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

/** The repository's root folder. */
export const root = resolve(dirname(fileURLToPath(import.meta.url)), "..");

const oldestNode = [20, 11];
const modules = join(root, "node_modules");
const installedStamp = join(modules, ".troupe-installed");
const builtStamp = join(modules, ".troupe-built");

/** Installs and (unless told not to) builds what is missing; ends the process with a clear message when that is not possible. */
export async function bootstrap({ builds = true } = {}) {
  checkNode();
  const wanted = hash([readFileSync(join(root, "package-lock.json")), process.versions.modules, process.platform, process.arch]);
  if (readStamp(installedStamp) !== wanted) {
    if (!(await isInstalled())) await install();
    writeFileSync(installedStamp, wanted);
  }
  if (!builds) return;
  const sources = hash(sourceFiles());
  if (readStamp(builtStamp) !== sources || !isBuilt()) {
    await build();
    writeFileSync(builtStamp, sources);
  }
}

function checkNode() {
  const [major, minor] = process.versions.node.split(".").map(Number);
  if (major > oldestNode[0] || (major === oldestNode[0] && minor >= oldestNode[1])) return;
  fail(`Troupe needs Node ${oldestNode.join(".")} or newer; this is ${process.version}. Get a newer one from https://nodejs.org.`, 2);
}

/** Whether somebody called `npm install` or `npm ci` already: npm's own record agrees with the lock file, and what was compiled loads. */
async function isInstalled() {
  const record = join(modules, ".package-lock.json");
  if (!existsSync(record)) return false;
  const have = JSON.parse(readFileSync(record, "utf8")).packages;
  const want = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")).packages;
  // A package of this repository is a link, which a clone from before that package lacks.
  const agrees = Object.entries(want).every(
    ([path, entry]) =>
      !path.includes("node_modules/") ||
      entry.optional ||
      (entry.link ? existsSync(join(root, path)) : have[path]?.version === entry.version),
  );
  return agrees && (await run(process.execPath, ["-e", "new (require('better-sqlite3'))(':memory:')"])).code === 0;
}

async function install() {
  rmSync(installedStamp, { force: true });
  const npm = process.env.npm_execpath?.endsWith("npm-cli.js") ? [process.execPath, process.env.npm_execpath] : ["npm"];
  const env = { ...headers(), NODE_LLAMA_CPP_SKIP_DOWNLOAD: "true" };
  const { code, output } = await working("Installing packages (once, about two minutes)", npm[0], [...npm.slice(1), "ci"], env);
  if (code === 0) return;
  const advice =
    "Mend what npm says above and call the same command again. A package that is compiled needs python3, make and a C++ compiler.";
  fail(`${output}\nThe packages could not be installed. ${advice}`, 1);
}

/** Where Node's own headers lie, so that compiling a package fetches nothing. */
function headers() {
  const prefix = resolve(dirname(process.execPath), "..");
  const found = existsSync(join(prefix, "include", "node", "node_api.h"));
  return found && process.env.npm_config_nodedir === undefined ? { npm_config_nodedir: prefix } : {};
}

async function build() {
  rmSync(builtStamp, { force: true });
  const { code, output } = await working("Building", process.execPath, [join(modules, "typescript", "bin", "tsc"), "-b"]);
  if (code !== 0) fail(`${output}\nThe build failed; the compiler's messages are above.`, 1);
}

/** Everything that the build reads, with size and time of change. */
function sourceFiles() {
  const packages = packageFolders();
  const configs = [
    "tsconfig.json",
    "tsconfig.base.json",
    ...packages.flatMap((path) => [join(path, "tsconfig.json"), join(path, "package.json")]),
  ];
  const sources = packages.flatMap((path) =>
    list(join(path, "src")).filter((file) => /\.[cm]?tsx?$/.test(file) && !/\.test\.tsx?$/.test(file)),
  );
  return [...configs, ...sources].filter((file) => existsSync(join(root, file))).map(describe);
}

function packageFolders() {
  return readdirSync(join(root, "packages")).map((name) => join("packages", name));
}

function isBuilt() {
  return packageFolders().every((path) => existsSync(join(root, path, "dist")));
}

function list(folder) {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { recursive: true }).map((name) => join(folder, String(name)));
}

function describe(file) {
  const { size, mtimeMs } = statSync(join(root, file));
  return `${file} ${size} ${mtimeMs}`;
}

function hash(parts) {
  const sum = createHash("sha256");
  for (const part of parts) sum.update(part).update("\0");
  return sum.digest("hex");
}

function readStamp(path) {
  return existsSync(path) ? readFileSync(path, "utf8") : undefined;
}

/** Runs a command behind one progress line; its output is shown at once only on CI. */
async function working(title, program, args, env = {}) {
  const started = Date.now();
  const seconds = () => `${Math.round((Date.now() - started) / 1000)} s`;
  const isTerminal = process.stderr.isTTY && !process.env.CI;
  process.stderr.write(isTerminal ? `${title} …` : `${title} …\n`);
  const tick = isTerminal ? setInterval(() => process.stderr.write(`\r${title} … ${seconds()}`), 1000) : undefined;
  const result = await run(program, args, env);
  clearInterval(tick);
  process.stderr.write(`${isTerminal ? "\r" : ""}${title} … ${result.code === 0 ? "done" : "failed"} in ${seconds()}\n`);
  return result;
}

function run(program, args, env = {}) {
  return new Promise((settle) => {
    const live = Boolean(process.env.CI);
    const shell = process.platform === "win32" && program === "npm";
    const child = spawn(program, args, { cwd: root, env: { ...process.env, ...env }, shell, stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text) => {
        if (live) process.stderr.write(text);
        else output += text;
      });
    }
    child.on("error", (error) => settle({ code: 1, output: `${program}: ${error.message}` }));
    child.on("close", (code) => settle({ code: code ?? 1, output }));
  });
}

function fail(message, code) {
  process.stderr.write(`${message.trim()}\n`);
  process.exit(code);
}

if (realpathSync(process.argv[1] ?? "") === fileURLToPath(import.meta.url)) await bootstrap();
