import type { Clock } from "@troupe/schema";
import type { SourceKind } from "./catalogue.ts";

/** How far a pull is. */
export interface PullProgress {
  /** Who is being asked. */
  readonly source: SourceKind;
  /**
   * `waiting` for another process that fetches the same model, `checking` what is already on disk, `connecting`,
   * or `downloading`.
   */
  readonly phase: "waiting" | "checking" | "connecting" | "downloading";
  /** Bytes of the file that are on disk, or checked. */
  readonly bytes: number;
  /** Bytes of the whole file. */
  readonly total: number;
  /** Over the last seconds; absent until it is known. */
  readonly bytesPerSecond?: number;
  /** More for people, such as `part 3 of 22`. */
  readonly detail?: string;
}

/** What a {@link ProgressMeter} is told. */
export type ProgressStep = Pick<PullProgress, "source" | "phase" | "bytes"> & { readonly detail?: string };

const windowMs = 5000;
const quietMs = 100;
/** A shorter measurement says nothing. */
const minWindowMs = 2000;

/** Turns frequent steps into a few reports with a speed. */
export class ProgressMeter {
  readonly #total: number;
  readonly #clock: Clock;
  readonly #report: (progress: PullProgress) => void;
  #samples: { at: number; bytes: number }[] = [];
  #last: ProgressStep | undefined;
  #lastAt = 0;

  /** @param report called at most ten times a second, and at every change of source, phase or detail. */
  constructor(total: number, clock: Clock, report: (progress: PullProgress) => void) {
    this.#total = total;
    this.#clock = clock;
    this.#report = report;
  }

  /** Takes note of where the pull is. */
  step(step: ProgressStep): void {
    const now = this.#clock.now();
    const last = this.#last;
    const sameWork = last?.source === step.source && last.phase === step.phase && step.bytes >= last.bytes;
    const isNews = !sameWork || last.detail !== step.detail || step.bytes >= this.#total;
    if (!isNews && now - this.#lastAt < quietMs) return;
    // What was on disk before, or a restart, is no speed.
    if (!sameWork) this.#samples = [];
    this.#last = step;
    this.#lastAt = now;
    const bytesPerSecond = this.#measure(now, step.bytes);
    this.#report({ ...step, total: this.#total, ...(bytesPerSecond !== undefined && { bytesPerSecond }) });
  }

  #measure(now: number, bytes: number): number | undefined {
    this.#samples.push({ at: now, bytes });
    // Two samples must stay, else there is no speed when steps are rare.
    const old = this.#samples.slice(0, -2).filter((sample) => now - sample.at > windowMs).length;
    this.#samples.splice(0, old);
    const first = this.#samples[0];
    return first && now - first.at >= minWindowMs ? ((bytes - first.bytes) * 1000) / (now - first.at) : undefined;
  }
}
