import { readSync, writeSync } from "node:fs";
import type { Command, FileEntry } from "@troupe/schema";

/** File descriptors of a walled child, besides the three usual ones. */
export const childChannels = Object.freeze({ orders: 3, reports: 4 });

/** What a walled child is told to run: one line of JSON. */
export interface ChildJob {
  readonly files: readonly FileEntry[];
  readonly command: Command;
  readonly stdin: string;
  readonly memoryMb: number;
  readonly fileMb: number;
  /** Milliseconds after which the child ends the program itself, so that its files can still be read. */
  readonly milliseconds: number;
}

/** What a walled child tells at its end: one line of JSON. Nobody vouches for it. */
export interface ChildReport {
  readonly ended: "exited" | "timeout" | "memory";
  readonly exitCode: number;
  readonly files: readonly FileEntry[];
}

/** The child's side of the talk with us; synchronous, so that nothing of it is left when the program runs. */
export interface Channel {
  receiveJob(): ChildJob;
  /** Tells that the walls stand, and waits until the last one is put up from outside. */
  awaitStart(): void;
  report(report: ChildReport): void;
  /** Writes the program's output: 1 is stdout, 2 is stderr. */
  print(descriptor: 1 | 2, bytes: Uint8Array): void;
}

/** Opens the channel; takes what it needs of the host now, because the host is sealed later. */
export function openChannel(): Channel {
  const read = readSync;
  const write = writeSync;
  let held = Buffer.alloc(0);
  const readLine = (): string => {
    const block = Buffer.alloc(65_536);
    const parts = [held];
    for (let end = held.indexOf("\n"); ; ) {
      if (end >= 0) break;
      const count = retry(() => read(childChannels.orders, block));
      if (count === 0) throw new Error("the orders ended too early");
      const part = Buffer.from(block.subarray(0, count));
      parts.push(part);
      end = part.indexOf("\n");
    }
    const all = Buffer.concat(parts);
    const end = all.indexOf("\n");
    held = all.subarray(end + 1);
    return all.toString("utf8", 0, end);
  };
  const writeAll = (descriptor: number, bytes: Uint8Array) => {
    for (let offset = 0; offset < bytes.length; ) offset += retry(() => write(descriptor, bytes, offset));
  };
  return {
    receiveJob: () => JSON.parse(readLine()) as ChildJob,
    awaitStart: () => {
      writeAll(childChannels.reports, Buffer.from("ready\n"));
      readLine();
    },
    report: (report) => writeAll(childChannels.reports, Buffer.from(`${JSON.stringify(report)}\n`)),
    print: writeAll,
  };
}

function retry(attempt: () => number): number {
  for (;;) {
    try {
      return attempt();
    } catch (error) {
      // The pipe is full; the other side drains it.
      if (!(error instanceof Error && "code" in error && error.code === "EAGAIN")) throw error;
    }
  }
}
