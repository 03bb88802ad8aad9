import {
  type ActivationKind,
  type ActivationRunner,
  type Artifact,
  type Clock,
  type Director,
  type ErrorCode,
  type EventBody,
  type EventOf,
  type Limits,
  type ModelClient,
  type Notice,
  notice,
  type Outcome,
  type RunEvent,
  type RunResult,
  type RunStore,
  TroupeError,
  toTroupeError,
  type WatchedEvent,
} from "@troupe/schema";
import { AttemptContext } from "./activation-context.ts";
import { Alarms } from "./alarms.ts";
import { type Attempt, graceMilliseconds } from "./attempts.ts";
import { Budget } from "./budget.ts";
import type { Exhaustion } from "./budget-scope.ts";
import { Direction } from "./direction.ts";
import { engineTopic } from "./engine-topic.ts";
import type { EngineRun } from "./engine-run.ts";
import { Heartbeat } from "./heartbeat.ts";
import { Journal } from "./journal.ts";
import { MeteredChat } from "./metered-chat.ts";
import { ModelFacts } from "./model-facts.ts";
import { type ResumePlan, settleOpenCalls } from "./resume-plan.ts";
import { LiveRunState } from "./run-state.ts";
import { createRunView, type RunHeader } from "./run-view.ts";
import { Scheduler } from "./scheduler.ts";
import { createSteadyClock } from "./steady-clock.ts";
import { TimeLimit } from "./time-limit.ts";
import { toFailure } from "./to-failure.ts";
import { Watchers } from "./watchers.ts";

/** What a session works with. */
export interface SessionParts {
  readonly director: Director;
  readonly store: RunStore;
  readonly models: ModelClient;
  readonly runners: Partial<Record<ActivationKind, ActivationRunner>>;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** Where a session begins. */
export interface SessionStart {
  readonly header: RunHeader;
  /** The lease on the run, which the session gives back at its end. */
  readonly lease: string;
  readonly limits: Limits;
  /** Absent for a new run. */
  readonly resume?: {
    readonly plan: ResumePlan;
    readonly events: readonly RunEvent[];
    /** What else the log is told: who goes on, and with which changed topology. */
    readonly logged: Pick<EventOf<"run.resumed">, "bundle" | "agents" | "version">;
  };
}

/** One session of a run, from its first event to `run.ended`: joins journal, scheduler, budget and director. */
export class Session implements EngineRun {
  readonly run: string;
  readonly result: Promise<RunResult>;
  readonly #parts: SessionParts;
  readonly #start: SessionStart;
  readonly #clock: Clock;
  readonly #state = new LiveRunState();
  readonly #watchers: Watchers;
  readonly #journal: Journal;
  readonly #alarms: Alarms;
  readonly #heartbeat: Heartbeat;
  readonly #timeLimit: TimeLimit;
  readonly #budget: Budget;
  readonly #scheduler: Scheduler;
  readonly #direction: Direction;
  readonly #startedAt: number;
  #resolve: (result: RunResult) => void = () => undefined;
  #outcome: Outcome | undefined;
  #draining: string | undefined;

  constructor(parts: SessionParts, start: SessionStart) {
    const { store, models, director } = parts;
    const { header, limits, resume } = start;
    const { run, seed } = header;
    const state = this.#state;
    const clock = createSteadyClock(parts.clock, resume?.plan.state.lastAt ?? 0);
    this.#clock = clock;
    this.#parts = parts;
    this.#start = start;
    this.run = run;
    this.#startedAt = clock.now();
    this.result = new Promise((resolve) => {
      this.#resolve = resolve;
    });
    this.#watchers = new Watchers(() => store.events(run, { from: resume?.events.length ?? 0 }));
    const alarms = new Alarms(clock);
    const journal = this.#createJournal();
    const budget = new Budget({ limits, state, exhausted: this.#exhausted });
    const findAnswer = resume?.plan.findAnswer ?? (() => undefined);
    const chat = new MeteredChat({ run, seed, models, store, clock, budget, journal, watchers: this.#watchers, findAnswer });
    const context = { header, state, store, models, journal, chat, facts: new ModelFacts(journal) };
    const work = (attempt: Attempt): Promise<Artifact> => this.#runnerOf(attempt.activation)(new AttemptContext(context, attempt));
    const scheduler = new Scheduler({ state, journal, alarms, clock, limits, seed, work });
    this.#direction = new Direction({
      ...{ director, state, view: createRunView(header, state, store) },
      over: () => this.#outcome !== undefined,
      cancel: (id) => scheduler.cancel(id),
      finish: (outcome) => this.#end(outcome),
    });
    this.#alarms = alarms;
    this.#heartbeat = new Heartbeat({
      // Leases are compared with those of other processes, so they go by the machine's own time.
      ...{ run, lease: start.lease, store, clock: parts.clock, alarms },
      lost: (error) => this.#end({ kind: "failed", error: toFailure(error) }),
    });
    this.#timeLimit = new TimeLimit({ state, alarms, clock, allowed: limits.seconds, exhausted: this.#exhausted });
    this.#journal = journal;
    this.#budget = budget;
    this.#scheduler = scheduler;
    // Not at once, so that whoever starts a run can watch it from its first event.
    queueMicrotask(() => this.#guard(() => this.#begin()));
  }

  [Symbol.asyncIterator](): AsyncIterator<WatchedEvent> {
    return this.#watchers.watch();
  }

  notify(pushed: Notice): void {
    const parsed = notice.safeParse(pushed);
    if (!parsed.success || parsed.data.topic.startsWith(engineTopic)) {
      throw new TroupeError("call_invalid", `A notice needs a topic (not beginning with "${engineTopic}") and data that is JSON.`);
    }
    if (this.#outcome === undefined) this.#journal.add({ kind: "notice", notice: parsed.data });
  }

  drain(reason: string): void {
    this.#draining ??= reason;
    this.#scheduler.pause();
    this.#journal.schedule();
  }

  #createJournal(): Journal {
    const { store } = this.#parts;
    const { resume, lease } = this.#start;
    return new Journal({
      ...{ run: this.run, lease, store, clock: this.#clock },
      lastAt: resume?.plan.state.lastAt ?? 0,
      nextSeq: resume?.events.length ?? 0,
      committed: (event) => this.#committed(event),
      flushed: () => this.#guard(() => this.#pump()),
      broke: (error) => this.#end({ kind: "failed", error: toFailure(error) }),
    });
  }

  #begin(): void {
    const { header, resume, limits } = this.#start;
    const { signal } = this.#parts;
    if (signal.aborted) this.#interrupt();
    else signal.addEventListener("abort", this.#interrupt, { once: true });
    if (resume === undefined) {
      this.#scheduler.adopt();
      this.#journal.write([header]);
    } else {
      for (const event of resume.events) this.#replay(event, resume.plan);
      const resumed: EventBody = { kind: "run.resumed", limits, redo: [...resume.plan.redo], ...resume.logged };
      this.#journal.write([resumed, ...resume.plan.lostCalls]);
      this.#scheduler.adopt();
    }
    this.#heartbeat.start();
    this.#timeLimit.check();
    this.#pump();
  }

  #replay(event: RunEvent, plan: ResumePlan): void {
    if (plan.voided.has(event.seq)) return;
    if (event.kind !== "step") this.#state.apply(event);
    this.#direction.retell(event, plan);
  }

  #committed(event: RunEvent): void {
    // A step took effect when the director answered it.
    if (event.kind !== "step") this.#state.apply(event);
    this.#watchers.publish(event);
    if (event.kind === "activation.settled") {
      this.#scheduler.settled(event.activation);
      this.#budget.forget(event.activation);
    } else if (event.kind === "activation.retried") this.#scheduler.retried(event);
    this.#direction.tell(event);
  }

  /** After each batch: logs the director's steps and what begins now, starts it, and sees whether anything still goes on. */
  #pump(): void {
    do {
      const began = this.#outcome === undefined ? this.#scheduler.pick() : [];
      for (const { activation } of began) this.#runnerOf(activation);
      if (!this.#journal.write([...this.#direction.takeSteps(), ...began])) return;
      this.#scheduler.launch();
      this.#timeLimit.check();
    } while (this.#outcome === undefined && this.#isStill() && this.#direction.idle());
  }

  #isStill(): boolean {
    if (!this.#journal.empty) return false;
    if (this.#draining === undefined) return this.#scheduler.quiet;
    if (this.#scheduler.running === 0) this.#end({ kind: "cancelled", reason: this.#draining });
    return false;
  }

  #runnerOf(id: number): ActivationRunner {
    const { kind, label } = this.#state.row(id).activation;
    const runner = this.#parts.runners[kind];
    if (runner !== undefined) return runner;
    throw new TroupeError(
      "internal",
      `Nothing runs activations of kind ${kind}, such as ${id} (${label}); give executeRun a runner for it.`,
    );
  }

  readonly #exhausted = (what: Exhaustion): void => this.#end({ kind: "exhausted", ...what });

  readonly #interrupt = (): void => {
    this.#end({ kind: "cancelled", reason: reasonOf(this.#parts.signal) });
  };

  /** The first end wins; what still runs is stopped, and waited for, before the run ends. */
  #end(outcome: Outcome): void {
    if (this.#outcome !== undefined) return;
    this.#outcome = outcome;
    this.#budget.close(new TroupeError("cancelled", `Run ${this.run} is ending.`));
    void this.#scheduler.stopAll().then((givenUp) => this.#close(outcome, givenUp));
  }

  #close(outcome: Outcome, givenUp: readonly number[]): void {
    this.#parts.signal.removeEventListener("abort", this.#interrupt);
    this.#alarms.close();
    this.#journal.write(this.#direction.takeSteps());
    this.#journal.close();
    this.#journal.write(settleOpenCalls(this.#state));
    if (givenUp.length > 0) this.#journal.write([givenUpNotice(givenUp)]);
    // Who has lost the run has no say in what comes of it.
    const best = isLost(outcome) ? undefined : (outcome.artifact ?? this.#direction.best());
    const final: Outcome = best === undefined ? outcome : { ...outcome, artifact: best };
    const { usage } = this.#state;
    const seconds = (this.#clock.now() - this.#startedAt) / 1000;
    const ended = { kind: "run.ended", outcome: final, usage, seconds } as const;
    // Watchers get their terminal event even when the log can't take it.
    if (!this.#journal.write([ended])) this.#committed({ ...ended, seq: this.#journal.nextSeq, at: this.#clock.now() });
    this.#heartbeat.end();
    this.#resolve({ run: this.run, outcome: final, ...(best && { artifact: best }), usage, seconds });
  }

  #guard(work: () => void): void {
    try {
      work();
    } catch (thrown) {
      this.#end({ kind: "failed", error: toFailure(toTroupeError(thrown)) });
    }
  }
}

function isLost(outcome: Outcome): boolean {
  return outcome.kind === "failed" && outcome.error.code === ("run_lost" satisfies ErrorCode);
}

function reasonOf({ reason }: AbortSignal): string {
  if (typeof reason === "string") return reason;
  return reason instanceof Error && reason.name !== "AbortError" ? reason.message : "interrupted";
}

function givenUpNotice(ids: readonly number[]): EventBody {
  const seconds = graceMilliseconds / 1000;
  return { kind: "notice", notice: { topic: `${engineTopic}given-up`, scope: "", data: { activations: [...ids], seconds } } };
}
