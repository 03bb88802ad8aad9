import { writeFile } from "node:fs/promises";
import { dirname, extname, resolve } from "node:path";
import { TroupeError } from "@troupe/schema";
import { type DrawFormat, drawTopology, loadTopology } from "@troupe/topology";
import { makeFolder } from "@troupe/store";
import type { TroupeContext } from "../../context.ts";
import { shownPath } from "../shown-path.ts";

const endings: Readonly<Record<string, DrawFormat>> = {
  ".svg": "svg",
  ".dot": "dot",
  ".gv": "dot",
  ".mmd": "mermaid",
  ".mermaid": "mermaid",
};

/** Draws a topology into a file or onto stdout. */
export async function draw(
  this: TroupeContext,
  flags: { readonly format?: DrawFormat; readonly out?: string },
  topology: string,
): Promise<void> {
  const { graph } = await loadTopology(shownPath(topology, this), { signal: this.signal });
  const format = flags.format ?? formatOf(flags.out ?? "");
  const picture = drawTopology(graph, { format });
  if (flags.out === undefined) {
    this.process.stdout.write(`${picture.trimEnd()}\n`);
    return;
  }
  const path = resolve(this.cwd, flags.out);
  makeFolder(dirname(path));
  await writeFile(path, picture);
  this.process.stdout.write(`${flags.out}\n`);
}

function formatOf(out: string): DrawFormat {
  const ending = extname(out).toLowerCase();
  const format = ending === "" ? "svg" : endings[ending];
  if (format !== undefined) return format;
  const known = Object.keys(endings).join(", ");
  throw new TroupeError(
    "call_invalid",
    `No picture ends in ${ending}: ${out}. End it in one of ${known}, or say which kind it is with --format.`,
  );
}
