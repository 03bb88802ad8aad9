import { describe, expect, it } from "vitest";
import { tinyBert, tinyFacts } from "../../test/tiny-bert.ts";
import { bertToGguf } from "./bert-to-gguf.ts";
import { toHalf } from "./half-float.ts";
import { readSafetensors } from "./read-safetensors.ts";

interface ReadTensor {
  readonly shape: number[];
  readonly type: number;
  readonly offset: number;
}

/** A reader of its own, written after the format's description, so that the writer is not its own judge. */
function readGguf(file: Buffer) {
  let at = 4;
  const skip = (bytes: number) => {
    at += bytes;
    return at - bytes;
  };
  const u32 = () => file.readUInt32LE(skip(4));
  const u64 = () => Number(file.readBigUInt64LE(skip(8)));
  const text = () => {
    const length = u64();
    const from = skip(length);
    return file.toString("utf8", from, from + length);
  };
  const value = (type: number): unknown => {
    switch (type) {
      case 4:
        return u32();
      case 5:
        return file.readInt32LE(skip(4));
      case 6:
        return file.readFloatLE(skip(4));
      case 7:
        return file[skip(1)] === 1;
      case 8:
        return text();
      case 9: {
        const of = u32();
        return Array.from({ length: u64() }, () => value(of));
      }
      default:
        throw new Error(`type ${type}`);
    }
  };
  const magic = file.toString("latin1", 0, 4);
  const version = u32();
  const [tensorCount, valueCount] = [u64(), u64()];
  const metadata = Object.fromEntries(Array.from({ length: valueCount }, () => [text(), value(u32())]));
  const tensors = new Map<string, ReadTensor>();
  for (let i = 0; i < tensorCount; i++) {
    const name = text();
    const shape = Array.from({ length: u32() }, u64);
    tensors.set(name, { shape, type: u32(), offset: u64() });
  }
  return { magic, version, metadata, tensors, body: file.subarray(Math.ceil(at / 32) * 32) };
}

const convert = (bert = tinyBert()) => Buffer.concat([...bertToGguf(bert, tinyFacts)]);

describe("bertToGguf()", () => {
  it("writes what llama.cpp must know of the model and its tokens", () => {
    const { magic, version, metadata } = readGguf(convert());
    expect([magic, version]).toEqual(["GGUF", 3]);
    expect(metadata).toEqual({
      "general.architecture": "bert",
      "general.name": "Tiny",
      "general.license": "apache-2.0",
      "general.file_type": 1,
      "bert.block_count": 1,
      "bert.context_length": 8,
      "bert.embedding_length": 4,
      "bert.feed_forward_length": 6,
      "bert.attention.head_count": 2,
      "bert.attention.layer_norm_epsilon": Math.fround(1e-12),
      "bert.attention.causal": false,
      "bert.pooling_type": 1,
      "tokenizer.ggml.model": "bert",
      "tokenizer.ggml.pre": "default",
      "tokenizer.ggml.token_type_count": 2,
      "tokenizer.ggml.tokens": ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "ing"],
      "tokenizer.ggml.token_type": [3, 3, 3, 3, 3, 1],
      "tokenizer.ggml.unknown_token_id": 1,
      "tokenizer.ggml.seperator_token_id": 3,
      "tokenizer.ggml.padding_token_id": 0,
      "tokenizer.ggml.mask_token_id": 4,
      "tokenizer.ggml.bos_token_id": 2,
      "tokenizer.ggml.eos_token_id": 3,
    });
  });

  it("marks the beginning of a word", () => {
    const vocabulary = tinyBert().vocabulary.replace("##ing", "sort");
    const { metadata } = readGguf(convert({ ...tinyBert(), vocabulary }));
    expect(metadata["tokenizer.ggml.tokens"]).toContain("\u2581sort");
  });

  it("puts every tensor in its place: matrices in 16 bits, the rest in 32, sizes turned round, aligned", () => {
    const { numbers } = tinyBert();
    const { tensors, body } = readGguf(convert());
    expect(tensors.size).toBe(numbers.size - 1);
    const expected: [string, string, number[], number][] = [
      ["token_embd.weight", "embeddings.word_embeddings.weight", [4, 6], 1],
      ["position_embd.weight", "embeddings.position_embeddings.weight", [4, 8], 0],
      ["token_types.weight", "embeddings.token_type_embeddings.weight", [4, 2], 0],
      ["token_embd_norm.bias", "embeddings.LayerNorm.bias", [4], 0],
      ["blk.0.attn_q.weight", "encoder.layer.0.attention.self.query.weight", [4, 4], 1],
      ["blk.0.attn_output_norm.weight", "encoder.layer.0.attention.output.LayerNorm.weight", [4], 0],
      ["blk.0.ffn_up.weight", "encoder.layer.0.intermediate.dense.weight", [4, 6], 1],
      ["blk.0.ffn_down.weight", "encoder.layer.0.output.dense.weight", [6, 4], 1],
      ["blk.0.layer_output_norm.bias", "encoder.layer.0.output.LayerNorm.bias", [4], 0],
    ];
    for (const [name, from, shape, type] of expected) {
      const tensor = tensors.get(name);
      expect(tensor).toMatchObject({ shape, type });
      const { offset = 1 } = tensor ?? {};
      expect(offset % 32).toBe(0);
      const values = numbers.get(from) ?? [];
      // The tests' numbers are eighths below 32, which 16 bits hold exactly.
      const read = values.map((_, i) => (type === 0 ? body.readFloatLE(offset + 4 * i) : fromHalf(body.readUInt16LE(offset + 2 * i))));
      expect(read).toEqual(values);
    }
  });

  it("gives equal bytes for equal input", () => {
    expect(convert().equals(convert())).toBe(true);
  });

  it.each<[string, Partial<ReturnType<typeof tinyBert>>, RegExp]>([
    [
      "lack a tensor",
      tinyBert({ without: "encoder.layer.0.output.dense.bias" }),
      /lack the 32-bit tensor encoder\.layer\.0\.output\.dense\.bias/,
    ],
    ["are another model's", tinyBert({ without: "embeddings.word_embeddings.weight" }), /lack the 32-bit tensor embeddings\.word/],
    ["don't fit the vocabulary", { vocabulary: "[PAD]\n[UNK]\n" }, /the vocabulary has 2 tokens, but the weights have 6/],
    ["come with a vocabulary without [CLS]", { vocabulary: "[PAD]\n[UNK]\na\n[SEP]\n[MASK]\nb" }, /the vocabulary lacks \[CLS\]/],
    ["are no safetensors", { weights: Buffer.from("<html>") }, /too short/],
    ["are something else", { weights: Buffer.alloc(100, 200) }, /is not one of safetensors/],
  ])("says when weights %s", (_, change, message) => {
    expect(() => convert({ ...tinyBert(), ...change })).toThrow(message);
    expect(() => convert({ ...tinyBert(), ...change })).toThrow(RangeError);
  });
});

describe("readSafetensors()", () => {
  it("refuses a tensor that lies outside of the file, or whose bytes don't fit its shape", () => {
    const { weights } = tinyBert();
    expect(() => readSafetensors(weights.subarray(0, weights.length - 4))).toThrow(/does not lie within the file/);
    const changed = Buffer.from(weights.toString("latin1").replace('"shape":[6,4]', '"shape":[9,4]'), "latin1");
    expect(() => readSafetensors(changed)).toThrow(/encoder|embeddings/);
  });
});

describe("toHalf()", () => {
  it.each([
    [0, 0],
    [-0, 0x8000],
    [1, 0x3c00],
    [-2, 0xc000],
    [65504, 0x7bff],
    [65519.996, 0x7bff],
    [65520, 0x7c00],
    [1e9, 0x7c00],
    [Number.NEGATIVE_INFINITY, 0xfc00],
    [2 ** -14, 0x0400],
    [2 ** -24, 1],
    [2 ** -25, 0],
    [2 ** -25 * 1.5, 1],
    [3 * 2 ** -25, 2],
    [1e-30, 0],
    [1 + 2 ** -11, 0x3c00],
    [1 + 3 * 2 ** -11, 0x3c02],
    [1 + 2 ** -11 + 2 ** -20, 0x3c01],
    [1.9999, 0x4000],
  ])("rounds %f to the nearest", (value, half) => {
    expect(toHalf(bitsOf(value))).toBe(half);
  });

  it("leaves every 16-bit float as it is", () => {
    const all = Array.from({ length: 0x10000 }, (_, half) => half);
    const back = (half: number): number => toHalf(bitsOf(fromHalf(half)));
    const isNumber = (half: number): boolean => !Number.isNaN(fromHalf(half));
    expect(all.filter((half) => isNumber(half) && back(half) !== half)).toEqual([]);
    expect(all.filter((half) => !isNumber(half) && isNumber(back(half)))).toEqual([]);
  });
});

function bitsOf(value: number): number {
  return new Uint32Array(Float32Array.of(value).buffer)[0] ?? 0;
}

function fromHalf(half: number): number {
  const sign = half & 0x8000 ? -1 : 1;
  const exponent = (half >>> 10) & 0x1f;
  const mantissa = half & 0x3ff;
  if (exponent === 0x1f) return mantissa === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  return exponent === 0 ? sign * mantissa * 2 ** -24 : sign * (1 + mantissa / 1024) * 2 ** (exponent - 15);
}
