import { join } from "node:path";
import { loadPeer } from "../peers/load-peer.mjs";
import { loadSqlite } from "../support/packages.mjs";
import { langGraph } from "./langgraph-graph.mjs";

const { SqliteSaver } = await loadPeer("@langchain/langgraph-checkpoint-sqlite");

/** With its own checkpointer and its default durability, on the same copy of SQLite and the same settings as Troupe's store. */
export function build(parents, work, { folder }) {
  const Sqlite = loadSqlite();
  const db = new Sqlite(join(folder, "langgraph.db"));
  db.pragma("journal_mode = WAL");
  db.pragma("synchronous = NORMAL");
  return { run: langGraph(parents, work, new SqliteSaver(db)), close: () => db.close() };
}
