/** The processor time that the process used meanwhile, in microseconds, garbage collection included: other work on the machine disturbs it little. */
export async function processorMicros(work) {
  const began = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(began);
  return user + system;
}

/** Bytes that are still in use after a forced collection: the heap, and buffers outside it. */
export function bytesInUse() {
  for (let i = 0; i < 3; i++) globalThis.gc();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** The most memory that the process has held so far, in MiB. */
export function peakMegabytes() {
  return process.resourceUsage().maxRSS / 1024;
}
