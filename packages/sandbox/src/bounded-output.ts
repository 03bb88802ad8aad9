const markerRoom = 48;

/** Keeps the beginning and the end of a byte stream within a bound, however long the stream is. */
export class BoundedOutput {
  readonly #bound: number;
  readonly #headBound: number;
  readonly #head: Buffer[] = [];
  readonly #tail: Buffer[] = [];
  #headBytes = 0;
  #tailBytes = 0;
  #total = 0;

  /** @param bound bytes kept at most; the first and the last half of them when the stream is longer. */
  constructor(bound: number) {
    this.#bound = bound;
    this.#headBound = Math.ceil(bound / 2);
  }

  /** Bytes seen so far. */
  get total(): number {
    return this.#total;
  }

  /** Whether the stream had more bytes than are kept. */
  get truncated(): boolean {
    return this.#total > this.#bound;
  }

  /** Takes the next bytes. */
  push(chunk: Buffer): void {
    this.#total += chunk.length;
    const headRoom = this.#headBound - this.#headBytes;
    const head = chunk.subarray(0, headRoom);
    if (head.length > 0) {
      this.#head.push(head);
      this.#headBytes += head.length;
    }
    if (chunk.length > head.length) this.#pushTail(chunk.subarray(head.length));
  }

  /** What was kept, as text; bytes that are not UTF-8 become U+FFFD. */
  text(): string {
    const tailBound = this.#bound - this.#headBound;
    const tail = Buffer.concat(this.#tail);
    if (!this.truncated) return Buffer.concat([...this.#head, tail]).toString("utf8");
    const left = `\n[... ${this.#total - this.#bound} bytes left out ...]\n`;
    const head = Buffer.concat(this.#head);
    const room = Math.min(markerRoom, this.#headBound);
    return decode(head.subarray(0, head.length - room)) + left.slice(0, room) + decode(tail.subarray(tail.length - tailBound));
  }

  #pushTail(chunk: Buffer): void {
    const tailBound = this.#bound - this.#headBound;
    this.#tail.push(chunk);
    this.#tailBytes += chunk.length;
    for (let first = this.#tail[0]; first !== undefined && this.#tailBytes - first.length >= tailBound; first = this.#tail[0]) {
      this.#tail.shift();
      this.#tailBytes -= first.length;
    }
  }
}

// A cut can split a character at either side; its halves are dropped instead of shown as U+FFFD.
function decode(bytes: Buffer): string {
  let start = 0;
  while (start < Math.min(3, bytes.length) && ((bytes[start] ?? 0) & 0xc0) === 0x80) start += 1;
  return new TextDecoder().decode(bytes.subarray(start), { stream: true });
}
