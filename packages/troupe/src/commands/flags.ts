import type { WorldOptions } from "@troupe/runtime";
import type { TroupeContext } from "../context.ts";
import { quoted } from "../quoted.ts";
import type { CallWords } from "../view/describe-outcome.ts";
import { readLimits, type UncheckedJson } from "./read-limits.ts";
import { positiveNumber, type WholeBounds, wholeNumber } from "./read-number.ts";

/** A flag with a word. */
export const textFlag = (brief: string, placeholder: string) =>
  ({ kind: "parsed", parse: String, brief, optional: true, placeholder }) as const;

/** A flag with a whole number. */
export const wholeFlag = (brief: string, placeholder: string, bounds: WholeBounds = { min: 1 }) =>
  ({ kind: "parsed", parse: wholeNumber(bounds), brief, optional: true, placeholder }) as const;

/** A flag with a number above 0. */
export const amountFlag = (brief: string, placeholder: string) =>
  ({ kind: "parsed", parse: positiveNumber, brief, optional: true, placeholder }) as const;

/** A flag that is there or not. */
export const switchFlag = (brief: string) => ({ kind: "boolean", brief, default: false, withNegated: false }) as const;

/** Prints machine-readable lines. */
export const jsonFlag = { json: switchFlag("Print JSON lines on stdout") } as const;

/** Where a command finds its database. */
export const dbFlag = { db: textFlag("The database; default: in the platform's data folder", "file") } as const;

/** Where a command finds its project. */
export const modelsFlag = { models: textFlag("A troupe.yaml; default: the nearest one upwards", "file") } as const;

/** Where a command finds its world. */
export const worldFlags = {
  ...modelsFlag,
  ...dbFlag,
  sandbox: {
    kind: "enum",
    values: ["auto", "bubblewrap", "seatbelt", "wasm", "none"],
    brief: "Where model-written code runs; none is no boundary at all",
    optional: true,
  },
  ...jsonFlag,
} as const;

export interface WorldFlags {
  readonly models?: string;
  readonly db?: string;
  readonly sandbox?: "auto" | "bubblewrap" | "seatbelt" | "wasm" | "none";
  readonly json: boolean;
}

/** The world that the flags describe. */
export function worldOf({ models, db, sandbox }: Omit<WorldFlags, "json">, { cwd, process, messages }: TroupeContext): WorldOptions {
  return { cwd, env: process.env, project: models, db, sandbox, onProgress: (message) => messages.show(message) };
}

/** The words that make further calls find the same run, and go on with it in the same way. */
export function callWords({ models, db, sandbox, out }: Omit<WorldFlags, "json"> & { readonly out?: string }): CallWords {
  const words = (given: Record<string, string | undefined>): string =>
    Object.entries(given)
      .flatMap(([name, value]) => (value === undefined ? [] : [`--${name} ${quoted(value)}`]))
      .join(" ");
  return { show: words({ models, db }), resume: words({ models, db, sandbox, out }) };
}

/** What a run may use. */
export const limitFlags = {
  limitTokens: wholeFlag("Tokens the run may use", "n"),
  limitSeconds: amountFlag("Seconds the run may take", "s"),
  limitUsd: amountFlag("US dollars the run may cost", "usd"),
  limitCalls: wholeFlag("Model calls the run may make", "n"),
  parallel: wholeFlag("Activations that run at once", "n", { min: 1, max: 10_000 }),
  limits: {
    kind: "parsed",
    parse: readLimits,
    brief: "Limits as JSON, also those of agents, models and activations",
    optional: true,
    placeholder: "json",
  },
} as const;

export interface LimitFlags {
  readonly limitTokens?: number;
  readonly limitSeconds?: number;
  readonly limitUsd?: number;
  readonly limitCalls?: number;
  readonly parallel?: number;
  readonly limits?: UncheckedJson;
}
