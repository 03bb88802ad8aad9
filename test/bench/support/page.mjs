import { cpus, totalmem } from "node:os";
import { barTable, table } from "./table.mjs";

/** What the figures were measured on. */
export function machine() {
  const [first, ...others] = cpus();
  const memory = `${Math.round(totalmem() / 2 ** 30)} GiB`;
  return { processor: first?.model ?? "unknown", cores: others.length + 1, memory, system: process.platform, node: process.versions.node };
}

/** The page of all results. */
export function page(reports, { commit }) {
  const { processor, cores, memory, system, node } = machine();
  const measuredOn = `${processor}, ${cores} cores, ${memory}, ${system}, Node ${node}`;
  return `# Benchmarks

Written by \`npm run bench -- --write\`; do not edit. Measured on ${measuredOn}${commit === undefined ? "" : `, at commit ${commit}`}.
Figures of one table come from one run of the suite, so compare them with each other and not with another machine's. How each is
measured stands at the head of its file in [test/bench](../test/bench).

${barTable(reports.flatMap(({ rows }) => rows))}
${reports.flatMap(({ sections }) => sections.map(section)).join("")}`;
}

function section({ title, about, head, rows }) {
  return `\n## ${title}\n\n${about.charAt(0).toUpperCase()}${about.slice(1)}\n\n${table(head, rows)}\n`;
}
