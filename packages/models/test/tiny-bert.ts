/** A BERT encoder of one layer, width 4 and six tokens, as its makers would publish it. */
export interface TinyBert {
  readonly weights: Buffer;
  readonly vocabulary: string;
  /** The numbers of each tensor. */
  readonly numbers: ReadonlyMap<string, readonly number[]>;
}

const shapes: readonly (readonly [name: string, ...shape: number[]])[] = [
  ["embeddings.position_ids", 1, 8],
  ["embeddings.word_embeddings.weight", 6, 4],
  ["embeddings.position_embeddings.weight", 8, 4],
  ["embeddings.token_type_embeddings.weight", 2, 4],
  ["embeddings.LayerNorm.weight", 4],
  ["embeddings.LayerNorm.bias", 4],
  ...["attention.self.query", "attention.self.key", "attention.self.value", "attention.output.dense"].flatMap((part) => [
    [`encoder.layer.0.${part}.weight`, 4, 4] as const,
    [`encoder.layer.0.${part}.bias`, 4] as const,
  ]),
  ["encoder.layer.0.attention.output.LayerNorm.weight", 4],
  ["encoder.layer.0.attention.output.LayerNorm.bias", 4],
  ["encoder.layer.0.intermediate.dense.weight", 6, 4],
  ["encoder.layer.0.intermediate.dense.bias", 6],
  ["encoder.layer.0.output.dense.weight", 4, 6],
  ["encoder.layer.0.output.dense.bias", 4],
  ["encoder.layer.0.output.LayerNorm.weight", 4],
  ["encoder.layer.0.output.LayerNorm.bias", 4],
];

/** Makes it; `without` names a tensor to leave out. */
export function tinyBert({ without }: { without?: string } = {}): TinyBert {
  const header: Record<string, unknown> = { __metadata__: { format: "pt" } };
  const numbers = new Map<string, readonly number[]>();
  const body: Buffer[] = [];
  let offset = 0;
  for (const [index, [name, ...shape]] of shapes.entries()) {
    if (name === without) continue;
    const isIds = name.endsWith("position_ids");
    const values = Array.from({ length: shape.reduce((a, b) => a * b) }, (_, i) => (isIds ? i : index + i / 8));
    const bytes = isIds ? Buffer.from(BigInt64Array.from(values, BigInt).buffer) : Buffer.from(Float32Array.from(values).buffer);
    header[name] = { dtype: isIds ? "I64" : "F32", shape, data_offsets: [offset, offset + bytes.length] };
    numbers.set(name, values);
    body.push(bytes);
    offset += bytes.length;
  }
  const json = Buffer.from(JSON.stringify(header));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(json.length));
  return { weights: Buffer.concat([length, json, ...body]), vocabulary: "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\n##ing\n", numbers };
}

/** What the tiny encoder's weights don't say. */
export const tinyFacts = { title: "Tiny", licence: "apache-2.0", heads: 2, normEpsilon: 1e-12 };
