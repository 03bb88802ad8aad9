import { toHalf } from "./half-float.ts";
import { readSafetensors, type Tensor } from "./read-safetensors.ts";
import { type GgufTensor, type GgufValue, writeGguf } from "./write-gguf.ts";

/** What the weights of a BERT encoder don't say about it. */
export interface BertFacts {
  /** What the file is called inside. */
  readonly title: string;
  /** SPDX identifier, in lower case. */
  readonly licence: string;
  readonly heads: number;
  readonly normEpsilon: number;
}

/** The files of a BERT encoder as its makers publish it. */
export interface BertFiles {
  /** `model.safetensors`, 32-bit floats. */
  readonly weights: Uint8Array;
  /** `vocab.txt`: a WordPiece token on each line. */
  readonly vocabulary: string;
}

/**
 * Turns a sentence encoder of the BERT family with mean pooling into the GGUF file that llama.cpp loads: matrices as 16-bit floats,
 * everything small (vectors, norms, positions, token types) as 32-bit floats. Equal input gives equal bytes.
 *
 * @returns the file in pieces.
 * @throws RangeError that names what is missing.
 */
export function bertToGguf({ weights, vocabulary }: BertFiles, facts: BertFacts): Generator<Uint8Array> {
  const tensors = readSafetensors(weights);
  const layers = countLayers(tensors);
  const places = [...ends, ...Array.from({ length: layers }, (_, layer) => layerPlaces(layer)).flat()];
  const written = places.map(([from, to]) => toGgufTensor(to, tensorOf(tensors, from)));
  return writeGguf(metadataOf(tensors, vocabulary, layers, facts), written);
}

/** A tensor's name in the makers' file and in the GGUF file. */
type Place = readonly [from: string, to: string];

const words = "embeddings.word_embeddings.weight";
const positions = "embeddings.position_embeddings.weight";
const types = "embeddings.token_type_embeddings.weight";

const ends: readonly Place[] = [
  [words, "token_embd.weight"],
  [positions, "position_embd.weight"],
  [types, "token_types.weight"],
  ["embeddings.LayerNorm.weight", "token_embd_norm.weight"],
  ["embeddings.LayerNorm.bias", "token_embd_norm.bias"],
];

const parts: readonly Place[] = [
  ["attention.self.query", "attn_q"],
  ["attention.self.key", "attn_k"],
  ["attention.self.value", "attn_v"],
  ["attention.output.dense", "attn_output"],
  ["attention.output.LayerNorm", "attn_output_norm"],
  ["intermediate.dense", "ffn_up"],
  ["output.dense", "ffn_down"],
  ["output.LayerNorm", "layer_output_norm"],
];

function layerPlaces(layer: number): Place[] {
  return parts.flatMap(([from, to]) =>
    ["weight", "bias"].map((kind): Place => [`encoder.layer.${layer}.${from}.${kind}`, `blk.${layer}.${to}.${kind}`]),
  );
}

function countLayers(tensors: ReadonlyMap<string, Tensor>): number {
  const layers = new Set([...tensors.keys()].map((name) => /^encoder\.layer\.(\d+)\./.exec(name)?.[1]).filter(Boolean));
  if (layers.size === 0) throw new RangeError("the weights have no layer of a BERT encoder");
  return layers.size;
}

function tensorOf(tensors: ReadonlyMap<string, Tensor>, name: string): Tensor {
  const tensor = tensors.get(name);
  if (tensor === undefined) throw new RangeError(`the weights lack the 32-bit tensor ${name}`);
  return tensor;
}

function toGgufTensor(name: string, { shape, bytes }: Tensor): GgufTensor {
  const isMatrix = shape.length === 2 && name !== "position_embd.weight" && name !== "token_types.weight";
  return isMatrix ? { name, shape, type: "f16", bytes: toHalves(bytes) } : { name, shape, type: "f32", bytes };
}

function toHalves(floats: Uint8Array): Uint8Array {
  const from = new DataView(floats.buffer, floats.byteOffset, floats.byteLength);
  const halves = new Uint8Array(floats.length / 2);
  const to = new DataView(halves.buffer);
  for (let at = 0; at < halves.length; at += 2) to.setUint16(at, toHalf(from.getUint32(2 * at, true)), true);
  return halves;
}

const meanPooling = 1;
const mostlyF16 = 1;

function metadataOf(
  tensors: ReadonlyMap<string, Tensor>,
  vocabulary: string,
  layers: number,
  { title, licence, heads, normEpsilon }: BertFacts,
): Map<string, GgufValue> {
  const [, width = 0] = tensorOf(tensors, words).shape;
  const [context = 0] = tensorOf(tensors, positions).shape;
  const [inner = 0] = tensorOf(tensors, "encoder.layer.0.intermediate.dense.weight").shape;
  return new Map<string, GgufValue>([
    ["general.architecture", { type: "string", value: "bert" }],
    ["general.name", { type: "string", value: title }],
    ["general.license", { type: "string", value: licence }],
    ["general.file_type", { type: "uint32", value: mostlyF16 }],
    ["bert.block_count", { type: "uint32", value: layers }],
    ["bert.context_length", { type: "uint32", value: context }],
    ["bert.embedding_length", { type: "uint32", value: width }],
    ["bert.feed_forward_length", { type: "uint32", value: inner }],
    ["bert.attention.head_count", { type: "uint32", value: heads }],
    ["bert.attention.layer_norm_epsilon", { type: "float32", value: normEpsilon }],
    ["bert.attention.causal", { type: "bool", value: false }],
    ["bert.pooling_type", { type: "uint32", value: meanPooling }],
    ...tokenizerOf(vocabulary, tensorOf(tensors, words).shape[0] ?? 0, tensorOf(tensors, types).shape[0] ?? 0),
  ]);
}

const tokenKinds = { normal: 1, control: 3 } as const;

function tokenizerOf(vocabulary: string, rows: number, typeCount: number): [string, GgufValue][] {
  const tokens = vocabulary.replace(/\r?\n$/, "").split(/\r?\n/);
  if (tokens.length !== rows) throw new RangeError(`the vocabulary has ${tokens.length} tokens, but the weights have ${rows}`);
  const idOf = (token: string): GgufValue => {
    const id = tokens.indexOf(token);
    if (id < 0) throw new RangeError(`the vocabulary lacks ${token}`);
    return { type: "uint32", value: id };
  };
  const isControl = (token: string): boolean => /^\[.+\]$/.test(token);
  return [
    ["tokenizer.ggml.model", { type: "string", value: "bert" }],
    ["tokenizer.ggml.pre", { type: "string", value: "default" }],
    ["tokenizer.ggml.token_type_count", { type: "uint32", value: typeCount }],
    ["tokenizer.ggml.tokens", { type: "strings", value: tokens.map((token) => (isControl(token) ? token : toGgufToken(token))) }],
    [
      "tokenizer.ggml.token_type",
      { type: "int32s", value: tokens.map((token) => (isControl(token) ? tokenKinds.control : tokenKinds.normal)) },
    ],
    ["tokenizer.ggml.unknown_token_id", idOf("[UNK]")],
    // Spelled so in the format.
    ["tokenizer.ggml.seperator_token_id", idOf("[SEP]")],
    ["tokenizer.ggml.padding_token_id", idOf("[PAD]")],
    ["tokenizer.ggml.mask_token_id", idOf("[MASK]")],
    ["tokenizer.ggml.bos_token_id", idOf("[CLS]")],
    ["tokenizer.ggml.eos_token_id", idOf("[SEP]")],
  ];
}

/** WordPiece marks what goes on with a word by `##`, llama.cpp what begins one by U+2581. */
function toGgufToken(token: string): string {
  return token.startsWith("##") ? token.slice(2) : `\u2581${token}`;
}
