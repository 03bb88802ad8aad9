import { defaultModels, embeddingModelName, modelDir, resolveModelFile } from "@troupe/models";
import { openModels, readProject } from "@troupe/runtime";
import { type ModelClient, type ModelEntry, toTroupeError } from "@troupe/schema";
import type { TroupeContext } from "../../context.ts";
import type { DoctorFlags, Finding } from "./doctor.ts";

/** Every model that agents can name: whether its file is here, or its server answers. */
export async function checkModels(context: TroupeContext, flags: DoctorFlags): Promise<Finding[]> {
  const { cwd, signal, messages } = context;
  const { env } = context.process;
  const project = await readProject(cwd, flags.models).catch(() => undefined);
  if (project === undefined) return [];
  const declared = project.file.models;
  const { [embeddingModelName]: _, ...needed } = await defaultModels(declared, { env, signal });
  // Nothing needs the default embedding model but one metric, which says itself when it is missing.
  const entries = { ...needed, ...declared };
  const world = { cwd, env, project: flags.models, onProgress: (message: string) => messages.show(message) };
  const client = await openModels(world, signal);
  try {
    return await Promise.all(
      Object.entries(entries).map(async ([name, entry]): Promise<Finding> => {
        try {
          if ("embedded" in entry) await resolveModelFile(entry.embedded, { dir: modelDir(env), env, signal, base: project.root });
          else await client.info(name, signal);
          if (flags.ask || !("embedded" in entry)) await askForSign(client, name, signal);
          return { name: "model", state: "good", fact: `${name}: ${servedBy(entry)}` };
        } catch (error) {
          signal.throwIfAborted();
          const { message } = toTroupeError(error);
          // The message says how to mend this one; here is where the other ways stand.
          const advice = "embedded" in entry ? "or name an endpoint in troupe.yaml; see docs/models.md" : "see docs/models.md";
          return { name: "model", state: name === "default" ? "bad" : "weak", fact: `${name}: ${servedBy(entry)}: ${message}`, advice };
        }
      }),
    );
  } finally {
    await client.close();
  }
}

async function askForSign(client: ModelClient, model: string, signal: AbortSignal): Promise<void> {
  if (model === embeddingModelName) await client.embed({ model, texts: ["ready"] }, { signal });
  else await client.chat({ model, messages: [{ role: "user", content: "Answer with the one word: ready" }], maxTokens: 8 }, { signal });
}

function servedBy(entry: ModelEntry): string {
  return "embedded" in entry ? `embedded ${entry.embedded}` : `${entry.model} at ${entry.endpoints.join(", ")}`;
}
