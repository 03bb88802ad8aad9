import { type Task, task } from "@troupe/schema";
import type { z } from "zod";
import { commonGenHardLine, fromCommonGenHard } from "./commongen-hard.ts";
import { fromGsmHard, gsmHardFirstLine, gsmHardLine } from "./gsm-hard.ts";
import { fromHumanEval, humanEvalLine } from "./humaneval.ts";
import { fromMbpp, mbppLine } from "./mbpp.ts";
import { fromMmluPro, mmluProLine } from "./mmlu-pro.ts";
import { fromSrdd, srddColumns, srddLine } from "./srdd.ts";

/** A form in which task sets come. */
export interface TaskFormat {
  readonly name: string;
  /** The first line of a set has all of these keys. */
  readonly keys: readonly string[];
  /** What a line must be. */
  readonly schema: z.ZodType;
  /** Whether ids are made of names that a set may use twice. */
  readonly namesRepeat?: boolean;
  /**
   * Makes a task of a line.
   *
   * @param index how many lines stand before it.
   */
  read(value: unknown, index: number): { task: Task } | { issues: readonly z.core.$ZodIssue[] };
}

interface FormatParts<Line> extends Omit<TaskFormat, "read" | "schema"> {
  readonly schema: z.ZodType<Line>;
  toTask(line: Line, index: number): Task;
}

function formatOf<Line>({ toTask, ...parts }: FormatParts<Line>): TaskFormat {
  return {
    ...parts,
    read: (value, index) => {
      const { data, error } = parts.schema.safeParse(value);
      return error === undefined ? { task: toTask(data, index) } : { issues: error.issues };
    },
  };
}

const own = formatOf({ name: "Troupe's own", keys: ["id", "prompt"], schema: task, toTask: (line) => line });

const formats: readonly TaskFormat[] = [
  formatOf({ name: "HumanEval", keys: ["task_id", "prompt", "entry_point", "test"], schema: humanEvalLine, toTask: fromHumanEval }),
  formatOf({ name: "MBPP", keys: ["task_id", "text", "test_list"], schema: mbppLine, toTask: fromMbpp }),
  formatOf({ name: "MMLU-Pro", keys: ["question", "options", "answer"], schema: mmluProLine, toTask: fromMmluPro }),
  formatOf({ name: "GSM-Hard", keys: ["question", "answer"], schema: gsmHardLine, toTask: fromGsmHard }),
  formatOf({ name: "GSM-Hard", keys: ["input", "target"], schema: gsmHardFirstLine, toTask: fromGsmHard }),
  formatOf({ name: "CommonGen-Hard", keys: ["concepts"], schema: commonGenHardLine, toTask: fromCommonGenHard }),
  formatOf({ name: "SRDD", keys: srddColumns, schema: srddLine, toTask: fromSrdd, namesRepeat: true }),
];

/** The format of a set by its first line; undefined when its keys are those of none. */
export function formatOfSet(first: Readonly<Record<string, unknown>>): TaskFormat | undefined {
  const found = formats.find(({ keys }) => keys.every((key) => Object.hasOwn(first, key)));
  return found ?? (own.keys.some((key) => Object.hasOwn(first, key)) ? own : undefined);
}

/** The formats and the keys that tell them, in words. */
export const knownFormats = [own, ...formats].map(({ name, keys }) => `${name} (${keys.join(", ")})`).join("; ");
