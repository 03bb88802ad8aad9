// Which package may import which: the table of the architecture, read by the linter's import check and by a test.

const low = ["schema"];

/** Package → the packages it may import. Arrows point down only. */
export const arrows = {
  schema: [],
  topology: low,
  models: low,
  sandbox: low,
  store: low,
  policy: low,
  engine: low,
  agents: low,
  experience: ["schema", "store"],
  tasks: low,
  directors: ["schema", "topology", "policy"],
  runtime: ["schema", "topology", "models", "sandbox", "store", "policy", "engine", "agents", "experience", "tasks", "directors"],
  client: low,
  hub: ["schema", "runtime", "directors"],
  lab: ["schema", "runtime", "tasks", "policy"],
  langchain: ["schema", "runtime"],
};

/** What a package may import: `troupe`, the command, stands above all. */
export function mayImport(name) {
  return name === "troupe" ? Object.keys(arrows) : (arrows[name] ?? []);
}
