/** What one request holds while it is answered: a place in the model's context with the tokens that it still remembers. */
export interface PooledSequence<Token> {
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
 * A free sequence that remembers the beginning of the prompt saves reading it again, so the longest common prefix wins; among
 * equals the one that was used longest ago, so that what others remember stays.
 */
export function createSequencePool<Token, Sequence extends PooledSequence<Token>>(
  sequences: readonly Sequence[],
): SequencePool<Token, Sequence> {
  // In the order of release: the one used longest ago comes first.
  const free = [...sequences];
  const queue: { tokens: readonly Token[]; grant: (sequence: Sequence) => void }[] = [];

  const take = (tokens: readonly Token[]): Sequence | undefined => {
    let best = free[0];
    let bestPrefix = best?.commonPrefix(tokens) ?? 0;
    for (const sequence of free) {
      const prefix = sequence.commonPrefix(tokens);
      if (prefix > bestPrefix) [best, bestPrefix] = [sequence, prefix];
    }
    if (best !== undefined) free.splice(free.indexOf(best), 1);
    return best;
  };

  const wait = (tokens: readonly Token[], signal: AbortSignal): Promise<Sequence> =>
    new Promise((resolve, reject) => {
      const leave = () => {
        queue.splice(queue.indexOf(place), 1);
        reject(signal.reason);
      };
      const grant = (sequence: Sequence) => {
        signal.removeEventListener("abort", leave);
        resolve(sequence);
      };
      const place = { tokens, grant };
      queue.push(place);
      signal.addEventListener("abort", leave, { once: true });
    });

  return {
    get busy() {
      return sequences.length - free.length;
    },
    get waiting() {
      return queue.length;
    },
    acquire: async (tokens, signal) => {
      signal.throwIfAborted();
      return take(tokens) ?? wait(tokens, signal);
    },
    release: (sequence) => {
      free.push(sequence);
      const next = queue.shift();
      const granted = next && take(next.tokens);
      if (granted !== undefined) next?.grant(granted);
    },
  };
}
