import { bridgeTypesPath, finishPurge, forbiddenBuiltins, purgeBridges } from "./pyodide-purge.ts";
import type { PythonModule } from "./python-module.ts";

const accessDenied = 2;
const libraryPath = "/lib/python314.zip";

/** Cuts every way from the Python interpreter to objects of JavaScript; see {@link purgeBridges} for the inside half. */
export function cutBridges(python: PythonModule): void {
  run(python, purgeBridges);
  forbidBuiltins(python);
  const [borrowed = "", ...types] = Buffer.from(python.FS.readFile(bridgeTypesPath)).toString().split("\n");
  python.FS.unlink(bridgeTypesPath);
  python._Py_IncRef(Number(borrowed));
  python._PyObject_GC_UnTrack(Number(borrowed));
  run(python, finishPurge);
  for (const line of types) forbidType(python, line.split(" ").map(Number));
  forgetSources(python);
  closeFileSystems(python);
}

// The table of built-in modules is pairs of name and function, ended by a null name. Copies of it share the names.
function forbidBuiltins(python: PythonModule): void {
  const forbidden = new Set<string>(forbiddenBuiltins);
  for (const name of forbidden) {
    const text = python._PyUnicode_FromString(python.stringToNewUTF8(name));
    python.__PyImport_ClearExtension(text, text);
  }
  for (let entry = python.HEAPU32[python._PyImport_Inittab >>> 2] ?? 0; ; entry += 8) {
    const name = python.HEAPU32[entry >>> 2] ?? 0;
    if (name === 0) return;
    if (forbidden.has(python.UTF8ToString(name))) python.HEAPU8[name] = 1;
  }
}

// Offsets of a type object of CPython 3.14 on 32 bits; size and flags are compared before anything is written.
const typeOffsets = { basicSize: 16, flags: 84, dictionary: 132, make: 156 };
const typeFlags = { disallowInstantiation: 1 << 7, baseType: 1 << 10 };

// Its objects can't be made any more, nor can subclasses; those that the core holds have no methods left.
function forbidType(python: PythonModule, [address = 0, size = 0, flags = 0]: readonly number[]): void {
  const word = (offset: number) => python.HEAPU32[(address + offset) >>> 2] ?? 0;
  if (word(typeOffsets.basicSize) !== size || word(typeOffsets.flags) !== flags) {
    throw new Error("this version of Pyodide lays types out in another way than expected");
  }
  python.HEAPU32[(address + typeOffsets.flags) >>> 2] = (flags | typeFlags.disallowInstantiation) & ~typeFlags.baseType;
  python.HEAPU32[(address + typeOffsets.make) >>> 2] = 0;
  const dictionary = word(typeOffsets.dictionary);
  if (dictionary !== 0) python._PyDict_Clear(dictionary);
  python._PyType_Modified(address);
}

function run(python: PythonModule, source: string): void {
  if (python._PyRun_SimpleString(python.stringToNewUTF8(source)) !== 0) throw new Error("the bridges could not be cut");
}

// Their names in the library's archive, so that it can be read again without finding them.
function forgetSources(python: PythonModule): void {
  const archive = Buffer.from(python.FS.readFile(libraryPath));
  for (const folder of ["_pyodide/", "pyodide/"]) {
    for (let at = archive.indexOf(folder); at >= 0; at = archive.indexOf(folder, at + 1)) archive.write("-".repeat(folder.length - 1), at);
  }
  python.FS.writeFile(libraryPath, archive);
}

function closeFileSystems(python: PythonModule): void {
  const refuse = () => {
    throw new python.FS.ErrnoError(accessDenied);
  };
  for (const name of Object.keys(python.FS.filesystems)) {
    if (name !== "MEMFS") Reflect.deleteProperty(python.FS.filesystems, name);
  }
  for (const target of [python.NODEFS, python.SOCKFS]) {
    for (const name of Object.keys(target)) Reflect.set(target, name, refuse);
  }
}
