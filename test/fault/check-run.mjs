// What must be so of a run that was killed any number of times, said from its log and from the record of what its model was asked.

/**
 * Checks a run.
 *
 * @param log its events.
 * @param calls lines of the record: what the model was asked and answered, with the length of the log at that moment.
 * @param expected how an unkilled run of the same topology ended: hash of the product, number of activations.
 */
export function checkRun(log, calls, expected) {
  return {
    wrongEnds: endsRight(log, expected) ? 0 : 1,
    activationsTwice: countActivationsTwice(log),
    answersTwice: countAnswersTwice(log, calls),
    uncountedCalls: countUncounted(log, calls),
    halfStreamed: calls.filter(({ kind }) => kind === "asked").length - calls.filter(({ kind }) => kind === "answered").length,
  };
}

/** How a run ended: hash of the product, number of activations. */
export function endOf(log) {
  const ended = log.filter(({ kind }) => kind === "run.ended");
  const activations = log.reduce((sum, event) => sum + (event.kind === "step" ? event.step.start.length : 0), 0);
  const outcome = ended.length === 1 ? ended[0].outcome : undefined;
  return { outcome: outcome?.kind, product: outcome?.artifact?.hash, activations };
}

function endsRight(log, expected) {
  return JSON.stringify(endOf(log)) === JSON.stringify(expected);
}

/** Activations that were done twice, or began again after they were done. */
function countActivationsTwice(log) {
  const done = new Set();
  const twice = new Set();
  for (const event of log) {
    if (event.kind !== "activation.began" && event.kind !== "activation.settled") continue;
    if (done.has(event.activation)) twice.add(event.activation);
    if (event.kind === "activation.settled" && event.state === "done") done.add(event.activation);
  }
  return twice.size;
}

/** Requests that were made while their answer was in the log. */
function countAnswersTwice(log, calls) {
  const answeredAt = new Map();
  for (const event of log) {
    if (event.kind === "call.settled" && event.answer !== undefined && !answeredAt.has(event.request))
      answeredAt.set(event.request, event.seq);
  }
  return calls.filter(({ kind, request, next }) => kind === "asked" && answeredAt.get(request) < next).length;
}

/** Calls that were made and are not in the log, were lost and not counted as spent, or are missing in the run's sum. */
function countUncounted(log, calls) {
  const { uncounted, sum, started } = readCalls(log);
  const asked = calls.filter(({ kind }) => kind === "asked");
  const unlogged = asked.filter(({ request }) => {
    const left = (started.get(request) ?? 0) - 1;
    started.set(request, left);
    return left < 0;
  });
  const total = log.at(-1).usage;
  const isSummed = total?.calls === sum.calls && total.inputTokens + total.outputTokens === sum.tokens;
  return uncounted + unlogged.length + (isSummed ? 0 : 1);
}

function readCalls(log) {
  const read = { uncounted: 0, sum: { calls: 0, tokens: 0 }, started: new Map() };
  const open = new Map();
  let session = 0;
  for (const event of log) {
    if (event.kind === "run.resumed") session++;
    if (event.kind === "call.started") {
      read.started.set(event.request, (read.started.get(event.request) ?? 0) + 1);
      if (open.has(keyOf(event))) read.uncounted++;
      open.set(keyOf(event), { session, reserved: event.reserved.tokens });
    }
    if (event.kind !== "call.settled") continue;
    const call = open.get(keyOf(event));
    open.delete(keyOf(event));
    const { usage } = event;
    read.sum.calls += usage.calls;
    read.sum.tokens += usage.inputTokens + usage.outputTokens;
    const isLost = call !== undefined && call.session < session;
    if (isLost && (usage.calls !== 1 || usage.inputTokens + usage.outputTokens < call.reserved)) read.uncounted++;
  }
  read.uncounted += open.size;
  return read;
}

function keyOf({ activation, attempt, call }) {
  return `${activation}/${attempt}/${call}`;
}
