/** What we use of Pyodide's insides: Emscripten's file system, and CPython's C interface. */
export interface PythonModule {
  readonly FS: GuestFileSystem;
  readonly MEMFS: { expandFileStorage(node: GuestNode, size: number): void; resizeFileStorage(node: GuestNode, size: number): void };
  readonly NODEFS: object;
  readonly SOCKFS: object;
  readonly HEAPU8: Uint8Array;
  readonly HEAPU32: Uint32Array;
  readonly _PyImport_Inittab: number;
  stringToNewUTF8(text: string): number;
  UTF8ToString(pointer: number): string;
  _PyRun_SimpleString(source: number): number;
  _PyUnicode_FromString(text: number): number;
  _PyDict_Clear(dictionary: number): void;
  _PyObject_GC_UnTrack(object: number): void;
  _Py_IncRef(object: number): void;
  _PyType_Modified(type: number): void;
  __PyImport_ClearExtension(name: number, path: number): number;
}

/** A file or folder of the guest. */
export interface GuestNode {
  readonly usedBytes?: number;
  readonly contents?: { readonly length: number };
}

/** Emscripten's file system, in memory. */
export interface GuestFileSystem {
  readonly ErrnoError: new (errno: number) => Error;
  readonly filesystems: Record<string, unknown>;
  mkdirTree(path: string): void;
  writeFile(path: string, content: Uint8Array): void;
  readFile(path: string): Uint8Array;
  readdir(path: string): string[];
  lstat(path: string): { readonly mode: number; readonly size: number };
  isDir(mode: number): boolean;
  isFile(mode: number): boolean;
  chdir(path: string): void;
  unlink(path: string): void;
}
