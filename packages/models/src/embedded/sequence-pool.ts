/** What one request holds while it is answered: a place in the model's context with the tokens that it still remembers. */
export interface PooledSequence<Token> {
  /** How many tokens it remembers. */
  readonly size: number;
  /** How many tokens at the beginning are those that it remembers. */
  commonPrefix(tokens: readonly Token[]): number;
}

/** Hands sequences out; see {@link createSequencePool}. */
export interface SequencePool<Token, Sequence extends PooledSequence<Token>> {
  /** Sequences in use. */
  readonly busy: number;
  /** Requests that wait for a sequence. */
  readonly waiting: number;
  /**
   * Takes the sequence that suits the tokens best, in the order of asking.
   *
   * @throws the signal's reason when aborted while waiting.
   */
  acquire(tokens: readonly Token[], signal: AbortSignal): Promise<Sequence>;
  /** Gives a sequence back. */
  release(sequence: Sequence): void;
}

/**
 * Shares a fixed number of sequences between any number of requests.
 *
 * A free sequence that remembers the beginning of the prompt saves reading it again, but forgets the rest, which somebody may come
 * back for. The one with the best balance wins; among equals the one that was used longest ago.
 */
export function createSequencePool<Token, Sequence extends PooledSequence<Token>>(
  sequences: readonly Sequence[],
): SequencePool<Token, Sequence> {
  return new PrefixPool(sequences);
}

/** How probable it is that what a sequence forgets would have been asked for again; a guess. */
const returnChance = 0.5;

interface Place<Token, Sequence> {
  readonly tokens: readonly Token[];
  readonly grant: (sequence: Sequence) => void;
}

class PrefixPool<Token, Sequence extends PooledSequence<Token>> implements SequencePool<Token, Sequence> {
  readonly #size: number;
  /** In the order of release: the one used longest ago comes first. */
  readonly #free: Sequence[];
  readonly #queue: Place<Token, Sequence>[] = [];

  constructor(sequences: readonly Sequence[]) {
    this.#size = sequences.length;
    this.#free = [...sequences];
  }

  get busy(): number {
    return this.#size - this.#free.length;
  }

  get waiting(): number {
    return this.#queue.length;
  }

  async acquire(tokens: readonly Token[], signal: AbortSignal): Promise<Sequence> {
    signal.throwIfAborted();
    return this.#take(tokens) ?? this.#wait(tokens, signal);
  }

  release(sequence: Sequence): void {
    this.#free.push(sequence);
    const next = this.#queue.shift();
    const granted = next && this.#take(next.tokens);
    if (granted !== undefined) next?.grant(granted);
  }

  #take(tokens: readonly Token[]): Sequence | undefined {
    let best: Sequence | undefined;
    let most = Number.NEGATIVE_INFINITY;
    for (const sequence of this.#free) {
      const saved = sequence.commonPrefix(tokens);
      const gain = saved - returnChance * (sequence.size - saved);
      if (gain > most) [best, most] = [sequence, gain];
    }
    if (best !== undefined) this.#free.splice(this.#free.indexOf(best), 1);
    return best;
  }

  #wait(tokens: readonly Token[], signal: AbortSignal): Promise<Sequence> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.#queue.splice(this.#queue.indexOf(place), 1);
        reject(signal.reason);
      };
      const grant = (sequence: Sequence) => {
        signal.removeEventListener("abort", leave);
        resolve(sequence);
      };
      const place = { tokens, grant };
      this.#queue.push(place);
      signal.addEventListener("abort", leave, { once: true });
    });
  }
}
