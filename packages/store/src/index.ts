export { defaultDatabasePath } from "./default-database-path.ts";
export { openStore, type StoreOptions } from "./open-store.ts";
