import stringWidth from "string-width";
import type { OutputStream } from "../context.ts";

const hideCursor = "\x1b[?25l";
const showCursor = "\x1b[?25h";
const clearLine = "\x1b[K";
const clearBelow = "\x1b[J";

/** A few lines of a terminal that are drawn again and again in the same place, with the cursor hidden. */
export class LiveScreen {
  readonly #out: OutputStream;
  #drawn: readonly string[] = [];
  #hidden = false;
  #paused = false;

  constructor(out: OutputStream) {
    this.#out = out;
  }

  /** Cells in a line; the last one stays free, because some terminals go on to the next line after it. */
  get columns(): number {
    return Math.max(1, (this.#out.columns ?? 80) - 1);
  }

  /** The most lines that can be drawn again; the cursor stands below them. */
  get rows(): number {
    return Math.max(1, (this.#out.rows ?? 24) - 1);
  }

  /** Puts lines in the place of those before; they must fit {@link columns} and {@link rows}. */
  draw(lines: readonly string[]): void {
    if (this.#paused) return;
    const cursor = this.#hidden ? "" : hideCursor;
    this.#hidden = true;
    this.#out.write(`${cursor}${this.#backToTop()}${lines.map((line) => `${line}${clearLine}\n`).join("")}${clearBelow}`);
    this.#drawn = lines;
  }

  /** Writes lines that stay above, then draws. */
  above(lines: readonly string[], drawn: readonly string[]): void {
    this.#out.write(`${this.#backToTop()}${clearBelow}${lines.map((line) => `${line}\n`).join("")}`);
    this.#drawn = [];
    this.draw(drawn);
  }

  /** Takes the lines away and gives the cursor back; nothing is drawn until the answer is called. */
  pause(): () => void {
    this.end([]);
    this.#paused = true;
    return () => {
      this.#paused = false;
    };
  }

  /** Leaves lines, also more than fit, in the place of those before, and gives the cursor back. Does nothing the second time. */
  end(lines: readonly string[] = this.#drawn): void {
    if (!this.#hidden && !this.#paused) return;
    this.#paused = false;
    this.draw(lines);
    this.#drawn = [];
    this.#hidden = false;
    this.#out.write(showCursor);
  }

  /** When the terminal became narrower it has broken the lines that were drawn, so they are higher than they were. */
  #backToTop(): string {
    const columns = Math.max(1, this.#out.columns ?? 80);
    const height = this.#drawn.reduce((sum, line) => sum + Math.max(1, Math.ceil(stringWidth(line) / columns)), 0);
    return height === 0 ? "" : `\x1b[${Math.min(height, this.rows)}A\r`;
  }
}
