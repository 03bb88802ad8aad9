// The walled process that runs Python without an operating system's sandbox; see `../wasm.ts`.
import { loadPyodide } from "pyodide";
import type { FileEntry } from "@troupe/schema";
import { type Channel, type ChildJob, type ChildReport, openChannel } from "./channel.ts";
import { cutBridges } from "./cut-bridges.ts";
import type { GuestFileSystem, PythonModule } from "./python-module.ts";
import { exitCodePath, runnerSource } from "./pyodide-purge.ts";
import { sealHost } from "./seal-host.ts";

const workspace = "/workspace";
const noSpace = 51;
const maxFiles = 10_000;

const channel = openChannel();
const job = channel.receiveJob();
const python = await startPython(channel, job);
layOut(python.FS, job.files);
boundFiles(python, job.fileMb * 2 ** 20);
cutBridges(python);
const end = sealHost();
channel.awaitStart();
channel.report(runProgram(python, job));
end(0);

async function startPython(to: Channel, { stdin, command }: ChildJob): Promise<PythonModule> {
  const input = Buffer.from(stdin);
  let offset = 0;
  const pyodide = await loadPyodide({
    jsglobals: Object.create(null) as object,
    env: { HOME: workspace, LANG: "C.UTF-8", PYTHONHASHSEED: "0", PYTHONDONTWRITEBYTECODE: "1" },
    args: [],
    enableRunUntilComplete: false,
  });
  pyodide.setStdin({
    read: (buffer) => {
      const count = input.copy(buffer, 0, offset);
      offset += count;
      return count;
    },
  });
  const printer = (descriptor: 1 | 2) => ({
    write: (bytes: Uint8Array) => {
      to.print(descriptor, bytes);
      return bytes.length;
    },
  });
  pyodide.setStdout(printer(1));
  pyodide.setStderr(printer(2));
  if (command.program !== "python") throw new Error("this process runs Python only");
  return (pyodide as unknown as { readonly _module: PythonModule })._module;
}

function layOut(fs: GuestFileSystem, files: readonly FileEntry[]): void {
  fs.mkdirTree(workspace);
  fs.mkdirTree("/run");
  for (const file of files) {
    const path = `${workspace}/${file.path}`;
    fs.mkdirTree(path.slice(0, path.lastIndexOf("/")));
    fs.writeFile(path, Buffer.from(file.content, file.encoding));
  }
  fs.chdir(workspace);
}

/** Files of the guest are memory of the host, so they are bounded here. */
function boundFiles({ FS, MEMFS }: PythonModule, maxBytes: number): void {
  let used = 0;
  for (const name of ["expandFileStorage", "resizeFileStorage"] as const) {
    const original = MEMFS[name].bind(MEMFS);
    MEMFS[name] = (node, size) => {
      const before = node.contents?.length ?? 0;
      if (size > maxBytes || used + Math.max(0, size - before) > maxBytes) throw new FS.ErrnoError(noSpace);
      original(node, size);
      used += (node.contents?.length ?? 0) - before;
    };
  }
}

function runProgram(python: PythonModule, { command, fileMb }: ChildJob): ChildReport {
  const exitCode = runToEnd(python, command.args);
  return { ended: "exited", exitCode, files: readBack(python.FS, fileMb * 2 ** 20) };
}

function runToEnd(python: PythonModule, args: readonly string[]): number {
  try {
    python._PyRun_SimpleString(python.stringToNewUTF8(runnerSource(args)));
    return Number(Buffer.from(python.FS.readFile(exitCodePath)).toString()) || 0;
  } catch (error) {
    // `os._exit` ends the interpreter by an exception of the host.
    if (typeof error === "object" && error !== null && "status" in error && typeof error.status === "number") return error.status;
    channel.print(2, Buffer.from(`Fatal Python error: ${String(error)}\n`));
    return 134;
  }
}

function readBack(fs: GuestFileSystem, maxBytes: number): FileEntry[] {
  const files: FileEntry[] = [];
  let room = maxBytes;
  const open = [""];
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    for (const name of listFolder(fs, `${workspace}${folder}`)) {
      const path = `${folder}/${name}`;
      const { mode, size } = fs.lstat(workspace + path);
      if (fs.isDir(mode)) open.push(path);
      else if (fs.isFile(mode) && size <= room && files.length < maxFiles) {
        room -= size;
        files.push({ path: path.slice(1), encoding: "base64", content: Buffer.from(fs.readFile(workspace + path)).toString("base64") });
      }
    }
  }
  return files;
}

function listFolder(fs: GuestFileSystem, path: string): string[] {
  try {
    return fs.readdir(path).filter((name) => name !== "." && name !== "..");
  } catch {
    return [];
  }
}
