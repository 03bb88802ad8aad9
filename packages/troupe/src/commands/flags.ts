import { numberParser } from "@stricli/core";
import type { WorldOptions } from "@troupe/runtime";
import type { Limits } from "@troupe/schema";
import type { TroupeContext } from "../context.ts";

const text = (brief: string, placeholder: string) => ({ kind: "parsed", parse: String, brief, optional: true, placeholder }) as const;
const number = (brief: string, placeholder: string) =>
  ({ kind: "parsed", parse: numberParser, brief, optional: true, placeholder }) as const;

/** Prints machine-readable lines. */
export const jsonFlag = { json: { kind: "boolean", brief: "Print JSON lines on stdout", default: false, withNegated: false } } as const;

/** Where a command finds its database. */
export const dbFlag = { db: text("The database; default: in the platform's data folder", "file") } as const;

/** Where a command finds its world. */
export const worldFlags = {
  models: text("A troupe.yaml; default: the nearest one upwards", "file"),
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

/** What a run may use. */
export const limitFlags = {
  limitTokens: number("Tokens the run may use", "n"),
  limitSeconds: number("Seconds the run may take", "s"),
  limitUsd: number("US dollars the run may cost", "usd"),
  limitCalls: number("Model calls the run may make", "n"),
  parallel: number("Activations that run at once", "n"),
} as const;

export interface LimitFlags {
  readonly limitTokens?: number;
  readonly limitSeconds?: number;
  readonly limitUsd?: number;
  readonly limitCalls?: number;
  readonly parallel?: number;
}

/** The limits that the flags give; the schema checks them where the run starts. */
export function limitsOf(flags: LimitFlags): Limits {
  const given = {
    tokens: flags.limitTokens,
    seconds: flags.limitSeconds,
    usd: flags.limitUsd,
    calls: flags.limitCalls,
    parallel: flags.parallel,
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}
