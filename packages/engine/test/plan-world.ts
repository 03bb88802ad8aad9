import { type ActivationRunner, type Clock, type ModelClient, type RunStore, TroupeError } from "@troupe/schema";
import { requestHash } from "../src/request-hash.ts";
import { answerTo, type Cut, type Plan, type PlannedFailure, textOf } from "./plan.ts";
import { question, scriptedModels } from "./scripted.ts";

/** Something that was done outside of the log, and how long the log was then. */
export interface Deed {
  /** Label of the activation, or hash of the request. */
  readonly what: string;
  readonly logLength: number;
}

/** The world of a planned run: it outlives every session, fails as planned, and remembers what it was asked to do. */
export class PlanWorld {
  readonly ran: Deed[] = [];
  readonly asked: Deed[] = [];
  readonly models: ModelClient;
  readonly runners: { readonly act: ActivationRunner; readonly wait: ActivationRunner };
  readonly #failures = new Map<string, number>();
  readonly #plan: Plan;
  readonly #clock: Clock;
  readonly #logLength: () => number;

  constructor(plan: Plan, clock: Clock, logLength: () => number) {
    this.#plan = plan;
    this.#clock = clock;
    this.#logLength = logLength;
    const work: ActivationRunner = (context) => this.#work(context);
    this.runners = { act: work, wait: work };
    this.models = scriptedModels(async (request, { signal }) => {
      this.asked.push({ what: requestHash(request), logLength: logLength() });
      const content = request.messages[0]?.content ?? "";
      await clock.sleep(1, signal);
      this.#failInModel(content);
      return answerTo(content);
    });
  }

  async #work(context: Parameters<ActivationRunner>[0]): Promise<{ kind: "text"; text: string }> {
    const { label } = context.activation;
    this.ran.push({ what: label, logLength: this.#logLength() });
    if (label.startsWith("rival")) return forever(context.signal);
    const node = label.startsWith("node") ? this.#plan[Number(label.slice(5))] : undefined;
    if (node !== undefined) await this.#clock.sleep(node.delay, context.signal);
    if (node !== undefined && !failsInModel(node)) this.#fail(label, node.fails);
    const answers: string[] = [];
    for (let call = 0; call < (node?.calls ?? 0); call++) answers.push((await context.chat(question(`${label} ${call}`))).text);
    if (node?.fails.how === "always") throw new TroupeError(node.fails.passing ? "model_failed" : "answer_unusable", "It never works.");
    const given = context.inputs.map(({ artifact }) => (artifact.kind === "text" ? artifact.text : ""));
    return { kind: "text", text: `${textOf(label, given, 0)}${answers.join("")}` };
  }

  #failInModel(content: string): void {
    const [, index = "", call] = /^node (\d+) (\d+)$/.exec(content) ?? [];
    const node = this.#plan[Number(index)];
    if (node !== undefined && failsInModel(node) && Number(call) === node.calls - 1) this.#fail(`node ${index}`, node.fails);
  }

  /** Fails if there are failures left. */
  #fail(label: string, fails: PlannedFailure): void {
    if (!("times" in fails)) return;
    const failed = this.#failures.get(label) ?? 0;
    if (failed >= fails.times) return;
    this.#failures.set(label, failed + 1);
    if (fails.how === "passing") throw new TroupeError("model_failed", "It passes.");
    throw new TroupeError("model_unauthorized", "It ends the run.");
  }
}

function failsInModel({ fails, calls }: Plan[number]): boolean {
  return fails.how === "passing" && fails.where === "model" && calls > 0;
}

function forever(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}

/** A store that is cut off from the log as planned: after a death nothing gets into it any more. */
export function cutStore(store: RunStore, cut: Cut | undefined, interrupt: () => void): RunStore {
  let appends = 0;
  let dead = false;
  return {
    ...store,
    append: (...words) => {
      const isCut = ++appends === cut?.at;
      if (isCut && cut.by === "interruption") interrupt();
      if (dead) throw new TroupeError("store_unwritable", "The process is gone.");
      if (!isCut || cut.by === "interruption") return store.append(...words);
      dead = true;
      if (cut.by === "death after") store.append(...words);
      throw new TroupeError("store_unwritable", "The process is gone.");
    },
  };
}
