import { freemem, totalmem } from "node:os";
import { TroupeError } from "@troupe/schema";
import { formatBytes } from "../store/format-bytes.ts";

/** Bytes of memory that a new process can have. */
export function availableMemory(): number {
  // macOS counts only untouched pages as free, although nearly all others can be had.
  if (process.platform === "darwin") return totalmem();
  // Node before 20.13 can't tell, and does not know the limit of a container.
  return "availableMemory" in process ? process.availableMemory() : freemem();
}

/**
 * Checks that a model can be loaded, before the machine starts to swap.
 *
 * @throws TroupeError `model_unavailable` when its file alone is larger than the memory that is left.
 */
export function checkMemory(file: string, fileBytes: number, available = availableMemory()): void {
  if (fileBytes <= available) return;
  throw new TroupeError(
    "model_unavailable",
    `There is not enough memory for ${file}: it needs ${formatBytes(fileBytes)} and more, ${formatBytes(available)} are left. Close other programs, or use a smaller model.`,
    { details: { fileBytes, available } },
  );
}
