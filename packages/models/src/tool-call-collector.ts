import type { ToolCall } from "@troupe/schema";

/** A piece of a tool call, as servers stream it. */
export interface ToolCallDelta {
  readonly index?: number | null | undefined;
  readonly id?: string | null | undefined;
  readonly function?: { readonly name?: string | null | undefined; readonly arguments?: unknown } | null | undefined;
}

/** Puts streamed tool calls together; see {@link createToolCallCollector}. */
export interface ToolCallCollector {
  /** Takes the next piece. */
  push(delta: ToolCallDelta): void;
  /** The whole calls, in the order in which they began; those without a name are left out. */
  end(): ToolCall[];
}

interface Draft {
  index: number;
  id: string;
  name: string;
  arguments: string;
}

/**
 * Puts tool calls together from the fragments of a stream.
 *
 * Servers differ: the id comes only with the first fragment, arguments are null, missing or already an object, two calls share an
 * index, or there is no index at all. Arguments stay the text that the model wrote; only a call without any gets `{}`.
 */
export function createToolCallCollector(): ToolCallCollector {
  const drafts: Draft[] = [];

  const draftFor = ({ index, id, function: body }: ToolCallDelta): Draft => {
    const last = typeof index === "number" ? drafts.findLast((draft) => draft.index === index) : drafts.at(-1);
    const another =
      last === undefined ||
      (isText(id) && last.id !== "" && id !== last.id) ||
      (!isText(id) && isText(body?.name) && last.name !== "" && body.name !== last.name);
    if (!another) return last;
    const draft = { index: index ?? drafts.length, id: "", name: "", arguments: "" };
    drafts.push(draft);
    return draft;
  };

  return {
    push: (delta) => {
      const draft = draftFor(delta);
      if (isText(delta.id)) draft.id = delta.id;
      if (isText(delta.function?.name)) draft.name = delta.function.name;
      draft.arguments += argumentText(delta.function?.arguments);
    },
    end: () => {
      const seen = new Set<string>();
      return drafts
        .filter((draft) => draft.name !== "")
        .map((draft, place) => {
          const id = draft.id === "" || seen.has(draft.id) ? `call_${place}` : draft.id;
          seen.add(id);
          return { id, name: draft.name, arguments: draft.arguments === "" ? "{}" : draft.arguments };
        });
    },
  };
}

function isText(value: string | null | undefined): value is string {
  return typeof value === "string" && value !== "";
}

function argumentText(value: unknown): string {
  if (typeof value === "string") return value;
  return value === null || value === undefined ? "" : JSON.stringify(value);
}
