/** A value of the metadata of a GGUF file. */
export type GgufValue =
  | { readonly type: "uint32" | "int32" | "float32"; readonly value: number }
  | { readonly type: "bool"; readonly value: boolean }
  | { readonly type: "string"; readonly value: string }
  | { readonly type: "strings"; readonly value: readonly string[] }
  | { readonly type: "int32s"; readonly value: readonly number[] };

/** A tensor of a GGUF file. */
export interface GgufTensor {
  readonly name: string;
  /** Sizes, the outermost first. */
  readonly shape: readonly number[];
  readonly type: "f32" | "f16";
  /** Numbers of that type, little-endian. */
  readonly bytes: Uint8Array;
}

const version = 3;
const alignment = 32;
const valueTypes = { uint32: 4, int32: 5, float32: 6, bool: 7, string: 8, array: 9 } as const;
const tensorTypes = { f32: 0, f16: 1 } as const;

/**
 * Writes a GGUF file, version 3 (https://github.com/ggml-org/ggml/blob/master/docs/gguf.md). Equal input gives equal bytes.
 *
 * @returns the file in pieces: the header, then each tensor with the zeros that align the next.
 */
export function* writeGguf(metadata: ReadonlyMap<string, GgufValue>, tensors: readonly GgufTensor[]): Generator<Uint8Array> {
  const head = new ByteWriter();
  head.bytes(Buffer.from("GGUF"));
  head.uint32(version);
  head.uint64(tensors.length);
  head.uint64(metadata.size);
  for (const [key, value] of metadata) {
    head.string(key);
    writeValue(head, value);
  }
  let offset = 0;
  for (const { name, shape, type, bytes } of tensors) {
    head.string(name);
    head.uint32(shape.length);
    // GGUF names the size that varies fastest first.
    for (const size of shape.toReversed()) head.uint64(size);
    head.uint32(tensorTypes[type]);
    head.uint64(offset);
    offset += bytes.length + padding(bytes.length);
  }
  const header = head.take();
  yield header;
  yield new Uint8Array(padding(header.length));
  for (const { bytes } of tensors) {
    yield bytes;
    yield new Uint8Array(padding(bytes.length));
  }
}

function padding(length: number): number {
  return (alignment - (length % alignment)) % alignment;
}

function writeValue(head: ByteWriter, value: GgufValue): void {
  switch (value.type) {
    case "strings":
      writeArrayHead(head, valueTypes.string, value.value.length);
      for (const text of value.value) head.string(text);
      break;
    case "int32s":
      writeArrayHead(head, valueTypes.int32, value.value.length);
      for (const number of value.value) head.int32(number);
      break;
    case "bool":
      head.uint32(valueTypes.bool);
      head.bytes(Uint8Array.of(value.value ? 1 : 0));
      break;
    case "string":
      head.uint32(valueTypes.string);
      head.string(value.value);
      break;
    case "uint32":
    case "int32":
    case "float32":
      head.uint32(valueTypes[value.type]);
      head[value.type](value.value);
      break;
  }
}

function writeArrayHead(head: ByteWriter, type: number, length: number): void {
  head.uint32(valueTypes.array);
  head.uint32(type);
  head.uint64(length);
}

/** Collects little-endian values. */
class ByteWriter {
  readonly #parts: Uint8Array[] = [];

  bytes(part: Uint8Array): void {
    this.#parts.push(part);
  }

  string(text: string): void {
    const bytes = Buffer.from(text, "utf8");
    this.uint64(bytes.length);
    this.bytes(bytes);
  }

  uint32(value: number): void {
    const part = Buffer.alloc(4);
    part.writeUInt32LE(value);
    this.bytes(part);
  }

  int32(value: number): void {
    const part = Buffer.alloc(4);
    part.writeInt32LE(value);
    this.bytes(part);
  }

  float32(value: number): void {
    const part = Buffer.alloc(4);
    part.writeFloatLE(value);
    this.bytes(part);
  }

  uint64(value: number): void {
    const part = Buffer.alloc(8);
    part.writeBigUInt64LE(BigInt(value));
    this.bytes(part);
  }

  take(): Uint8Array {
    return Buffer.concat(this.#parts);
  }
}
