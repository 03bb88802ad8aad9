import { type CatalogueModel, findModel, formatBytes, listModels, modelDir } from "@troupe/models";
import { readProject } from "@troupe/runtime";
import type { ModelEntry } from "@troupe/schema";
import type { TroupeContext } from "../../context.ts";
import { formatTable } from "../../view/format-table.ts";

/** Lists the models that agents can name, and those that can be pulled. */
export async function list(this: TroupeContext, flags: { readonly models?: string; readonly json: boolean }): Promise<void> {
  const { stdout, env } = this.process;
  const project = await readProject(this.cwd, flags.models);
  const listing = await listModels(modelDir(env), this.signal);
  if (flags.json) {
    stdout.write(`${JSON.stringify({ project: project.file.models, catalogue: listing })}\n`);
    return;
  }
  const declared = Object.entries(project.file.models).map(([name, entry]) => [name, servedBy(entry)]);
  stdout.write(`Models of ${project.path ?? "this folder (no troupe.yaml)"}:\n`);
  const own = declared.length > 0 ? declared : [["default", "a server on a usual local port, else the default of the catalogue"]];
  for (const line of formatTable(own)) stdout.write(`  ${line}\n`);
  stdout.write(`\nCatalogue, kept in ${modelDir(env)}:\n`);
  const rows = listing.map((model) => {
    const state = model.present ? "here" : model.partialBytes > 0 ? `${formatBytes(model.partialBytes)} fetched` : "not here";
    return [model.isDefault ? `${model.name} (default)` : model.name, formatBytes(model.bytes), licenceOf(model.name), state, model.note];
  });
  for (const line of formatTable(rows, ["left", "right"])) stdout.write(`  ${line}\n`);
  if (listing.some((model) => model.isDefault && !model.present)) stdout.write("\nGet the default model with `troupe models pull`.\n");
}

function servedBy(entry: ModelEntry): string {
  return "embedded" in entry ? `embedded ${entry.embedded}` : `${entry.model} at ${entry.endpoints.join(", ")}`;
}

const licenceOf = (name: string): CatalogueModel["licence"] => findModel(name).licence;
