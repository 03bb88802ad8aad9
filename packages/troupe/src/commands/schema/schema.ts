import { writeFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { publicSchemas, type SchemaName, toJsonSchema, TroupeError } from "@troupe/schema";
import { makeFolder } from "@troupe/store";
import type { TroupeContext } from "../../context.ts";

/** Prints a schema, or the list of all. */
export async function schema(this: TroupeContext, flags: { readonly out?: string }, name?: string): Promise<void> {
  const { stdout } = this.process;
  if (name === undefined) {
    for (const [known, of] of Object.entries(publicSchemas)) stdout.write(`${known.padEnd(10)} ${of.description ?? ""}\n`);
    return;
  }
  if (!isSchemaName(name))
    throw new TroupeError("call_invalid", `There is no schema "${name}". There are: ${Object.keys(publicSchemas).join(", ")}.`);
  const text = `${JSON.stringify(toJsonSchema(name), null, 2)}\n`;
  if (flags.out === undefined) {
    stdout.write(text);
    return;
  }
  const path = resolve(this.cwd, flags.out);
  makeFolder(dirname(path));
  await writeFile(path, text);
  stdout.write(`${flags.out}\n`);
}

function isSchemaName(name: string): name is SchemaName {
  return Object.hasOwn(publicSchemas, name);
}
