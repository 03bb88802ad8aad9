/** When the server was last of use; see {@link createActivity}. */
export interface Activity {
  /** Requests that are being answered. */
  readonly busy: number;
  /** Milliseconds since the last sign of life; 0 while it is busy. */
  idleMs(): number;
  /** Somebody said that the server is still needed. */
  touch(): void;
  /** A request begins; call what is returned when it has ended. */
  begin(): () => void;
}

/** Keeps track of whether anybody still uses the server. */
export function createActivity(now: () => number): Activity {
  let last = now();
  let busy = 0;
  const touch = () => {
    last = now();
  };
  return {
    get busy() {
      return busy;
    },
    idleMs: () => (busy > 0 ? 0 : now() - last),
    touch,
    begin: () => {
      busy++;
      let ended = false;
      return () => {
        if (ended) return;
        ended = true;
        busy--;
        touch();
      };
    },
  };
}
