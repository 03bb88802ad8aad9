import { type EventOf, type Human, humanMissing, type RunEvent, TroupeError } from "@troupe/schema";
import { foldLog } from "@troupe/engine";

/** Gives the first open question of a run an answer that was there before it is asked; all else is asked of somebody else. */
export function answeringHuman(answer: string, log: readonly RunEvent[], other: Human | undefined): Human {
  const open = openQuestion(log);
  return {
    ask: (question, signal) => {
      if (question.activation.id === open && question.refused === undefined) return Promise.resolve(answer);
      return other === undefined ? Promise.reject(humanMissing(question)) : other.ask(question, signal);
    },
  };
}

/** @throws TroupeError `call_invalid` when the run has asked nobody, or has its answers. */
function openQuestion(log: readonly RunEvent[]): number {
  const open = foldLog(log).rows.find(
    ({ activation, state, beganAt, cancelled }) => activation.kind === "wait" && state !== "done" && beganAt !== undefined && !cancelled,
  );
  if (open !== undefined) return open.activation.id;
  const { run } = log[0] as EventOf<"run.started">;
  throw new TroupeError("call_invalid", `Run ${run} waits for no answer. Go on with it without --answer: \`troupe resume ${run}\`.`);
}
