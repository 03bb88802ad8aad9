import { isNewerVersion, type RunEvent, troupeVersion, TroupeError } from "@troupe/schema";

/**
 * Sees to it that no run is gone on with, or replayed, that a newer version has worked on: what this one can read of it may mean something else.
 *
 * @throws TroupeError `store_newer`.
 */
export function refuseNewer(events: readonly RunEvent[]): void {
  const [started] = events;
  const run = started?.kind === "run.started" ? started.run : "";
  for (const event of events) {
    const version = event.kind === "run.started" || event.kind === "run.resumed" ? event.version : undefined;
    if (version === undefined || !isNewerVersion(version)) continue;
    const message = `Run ${run} was worked on by Troupe ${version}; this is ${troupeVersion}, which may misread it. Update Troupe, or start a new run.`;
    throw new TroupeError("store_newer", message, { details: { run, version } });
  }
}
