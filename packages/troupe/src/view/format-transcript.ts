import type { Artifact, ChatAnswer, FileEntry, WaitQuestion } from "@troupe/schema";
import { productFiles } from "@troupe/runtime";
import { markOf } from "./activation-cells.ts";
import type { ActivationTexts } from "./activation-texts.ts";
import type { Colors } from "./colors.ts";
import { oneLine, plainText } from "./terminal-text.ts";
import type { CallTurn, Transcript, Turn } from "./transcript.ts";
import { duration, plural, tokensOf } from "./words.ts";

/** How a transcript is printed. */
export interface TranscriptStyle {
  readonly colors: Colors;
  readonly texts: Pick<ActivationTexts, "made">;
  /** Whether the artifact is printed whole, or only what it is. */
  readonly whole: boolean;
}

/** A transcript as lines: who, what it was given, each call with its answer, each tool with its output, and what came of it. */
export function formatTranscript({ row, given, turns, artifact }: Transcript, style: TranscriptStyle): string[] {
  const { colors, texts, whole } = style;
  const { activation, state, usage } = row;
  const mark = markOf(state, { colors, now: 0, live: false });
  const title = [`#${activation.id} ${oneLine(activation.label)}`, oneLine(activation.agent ?? activation.kind), state];
  const inputs = given.map(({ name, from }) => (from === undefined ? oneLine(name) : `${oneLine(name)} from #${from}`));
  const made = texts.made(activation.id);
  return [
    colors.bold(`${mark} ${title.join(" · ")}`) + colors.dim(`  ${plural(tokensOf(usage), "token")}`),
    `given: ${inputs.join(", ") || "nothing"}`,
    ...(activation.wait === undefined ? [] : askedLines(activation.wait, colors)),
    ...turns.flatMap((turn, index) => ["", ...turnLines(turn, index + 1, colors)]),
    "",
    ...(made === "" ? [] : [`${colors.bold("made:")} ${made}`]),
    ...(whole && artifact !== undefined ? artifactLines(artifact, colors) : []),
  ];
}

function askedLines({ ask, options }: WaitQuestion, colors: Colors): string[] {
  return ["asked a person:", ...quotedLines([ask, ...(options ?? []).map((option) => `- ${option}`)].join("\n"), colors)];
}

/** An artifact as lines, file by file. */
export function artifactLines(artifact: Artifact, colors: Colors): string[] {
  return productFiles(artifact).flatMap((file) => [colors.bold(`── ${oneLine(file.path)}`), ...contentLines(file)]);
}

function turnLines(turn: Turn, number: number, colors: Colors): string[] {
  switch (turn.kind) {
    case "call":
      return callLines(turn, number, colors);
    case "tool": {
      const { tool, input, output, ok, sandbox, seconds } = turn.event;
      const where = [...(sandbox === undefined ? [] : [sandbox]), duration(seconds)].join(", ");
      const mark = ok ? colors.green("✓") : colors.red("✗");
      return [`${mark} used ${tool} ${oneLine(input)} ${colors.dim(`(${where})`)}`, ...quotedLines(output, colors)];
    }
    case "retried":
      return [colors.yellow(`↻ attempt ${turn.event.attempt} failed: ${oneLine(turn.event.error.message)}`)];
  }
}

function callLines({ event, messages, answer }: CallTurn, number: number, colors: Colors): string[] {
  const { usage, model, endpoint, error } = event;
  const cost = `${usage.inputTokens} tokens in, ${usage.outputTokens} out, ${duration(usage.seconds)}`;
  const from = endpoint === "" ? model : `${model} at ${endpoint}`;
  return [
    colors.dim(`[${number}] call of ${oneLine(from)}: ${cost}`),
    ...messages.flatMap(({ role, content }) => [colors.cyan(`${role}:`), ...quotedLines(content, colors)]),
    ...(answer === undefined ? [] : answerLines(answer, colors)),
    ...(error === undefined ? [] : [colors.red(`failed: ${oneLine(error.message)} [${error.code}]`)]),
  ];
}

function answerLines({ text, reasoning, toolCalls, finish }: ChatAnswer, colors: Colors): string[] {
  return [
    ...(reasoning === undefined || reasoning === "" ? [] : [colors.dim("reasoning:"), ...quotedLines(reasoning, colors)]),
    colors.green(finish === "length" ? "answer (cut off at its length limit):" : "answer:"),
    ...quotedLines(text, colors),
    ...toolCalls.map((call) => `asks for ${oneLine(call.name)} ${oneLine(call.arguments)}`),
  ];
}

/** Text of others behind a bar, so that it can't pass for a line of ours. */
function quotedLines(text: string, colors: Colors): string[] {
  const lines = plainText(text).trimEnd().split("\n");
  return lines.map((line) => `${colors.dim("│")} ${line}`);
}

function contentLines({ content, encoding }: FileEntry): string[] {
  return encoding === "base64" ? [`(binary, ${content.length} characters of base64)`] : plainText(content).trimEnd().split("\n");
}
