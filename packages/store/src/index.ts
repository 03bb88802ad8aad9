export { defaultDatabasePath } from "./default-database-path.ts";
export { makeFolder } from "./make-folder.ts";
export { openStore, type StoreOptions } from "./open-store.ts";
export type { StoreProcess } from "./store-process.ts";
