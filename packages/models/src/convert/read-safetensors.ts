import { z } from "zod";

/** One tensor of a safetensors file, with its numbers still as bytes. */
export interface Tensor {
  /** Sizes, the outermost first. */
  readonly shape: readonly number[];
  /** 32-bit floats, little-endian. */
  readonly bytes: Uint8Array;
}

const count = z.number().int().nonnegative();
const entry = z.object({ dtype: z.string(), shape: z.array(count), data_offsets: z.tuple([count, count]) });
const lengthBytes = 8;
/** What a header may have: models of many thousands of tensors need less. */
const mostHeaderBytes = 64 * 2 ** 20;

/**
 * Reads the 32-bit float tensors of a safetensors file (https://huggingface.co/docs/safetensors); tensors of other types are left out.
 *
 * @returns tensors by name, views of the file.
 * @throws RangeError that says what is wrong with the file.
 */
export function readSafetensors(file: Uint8Array): Map<string, Tensor> {
  const header = readHeader(file);
  const body = file.subarray(header.end);
  const tensors = new Map<string, Tensor>();
  for (const [name, value] of Object.entries(header.json)) {
    if (name === "__metadata__") continue;
    const parsed = entry.safeParse(value);
    if (!parsed.success) throw new RangeError(`the entry of the tensor ${name} is malformed`);
    const {
      dtype,
      shape,
      data_offsets: [begin, end],
    } = parsed.data;
    if (dtype !== "F32") continue;
    const bytes = 4 * shape.reduce((product, size) => product * size, 1);
    if (end - begin !== bytes || end > body.length)
      throw new RangeError(`the tensor ${name} does not lie within the file as its shape asks`);
    tensors.set(name, { shape, bytes: body.subarray(begin, end) });
  }
  return tensors;
}

function readHeader(file: Uint8Array): { readonly json: Record<string, unknown>; readonly end: number } {
  if (file.length < lengthBytes) throw new RangeError("the file is too short to be one of safetensors");
  const length = new DataView(file.buffer, file.byteOffset).getBigUint64(0, true);
  if (length > BigInt(Math.min(mostHeaderBytes, file.length - lengthBytes))) throw new RangeError("the file is not one of safetensors");
  const end = lengthBytes + Number(length);
  try {
    return { json: z.record(z.string(), z.unknown()).parse(JSON.parse(new TextDecoder().decode(file.subarray(lengthBytes, end)))), end };
  } catch (error) {
    throw new RangeError("the header of the safetensors file is not JSON", { cause: error });
  }
}
