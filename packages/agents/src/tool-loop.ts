import { type ChatAnswer, type ChatMessage, entryOf, type FileEntry, isTroupeError, type ToolCall } from "@troupe/schema";
import { saysNoChange } from "./answer/no-change.ts";
import { answerUnusable } from "./answer-unusable.ts";
import { reaskSection } from "./ask-until-read.ts";
import { type Check, checkTree } from "./checks/check-tree.ts";
import { fixRequest, fixSections, rewriteSections, taskSections } from "./prompts/actor-prompt.ts";
import { filesFormat, productSection, toolsSection } from "./prompts/answer-format.ts";
import type { Section } from "./prompts/sections.ts";
import { type TakenFiles, takeFiles } from "./take-files.ts";
import { readToolBlocks, report, toolSpecs, useTools } from "./toolbox.ts";
import type { Work } from "./work.ts";
import { sameTree, Workspace } from "./workspace.ts";

/** A tree and what trying it out showed. */
interface Version {
  readonly tree: readonly FileEntry[];
  readonly check: Check | undefined;
  /** The talk that led to it, with the answer; none for what was put together from pieces. */
  readonly talk: readonly ChatMessage[];
}

/** What a {@link ToolLoop} works on. */
export interface FilesJob {
  /** The tree that answers change; the files given with the task lie under it. */
  readonly base: readonly FileEntry[];
  /** What trying the base out showed, when that is known. */
  readonly baseCheck?: Check | undefined;
  /** What is asked, without the form of the answer. */
  readonly sections: readonly Section[];
  /** Whether an answer that leaves everything as it was is asked for again. */
  readonly mustChange: boolean;
}

/** From this temperature on, a model writes another program than before; one for each time that it must. */
const rewriteTemperatures = [0.7, 0.8, 0.9, 1];

/**
 * One agent making files, within the `turns` of its card. It asks, takes the files of the answer or carries out the tools that it calls,
 * tries the result out on the model's behalf, shows what failed, and keeps the best version seen. What it was given counts as a version,
 * so the product never runs worse than the input.
 */
export class ToolLoop {
  readonly #work: Work;
  readonly #workspace: Workspace;
  readonly #base: readonly FileEntry[];
  readonly #job: FilesJob;
  readonly #entry: string;
  #messages: ChatMessage[];
  #best: Version | undefined;
  #baseCheck: Promise<Check | undefined> | undefined;
  #partial: readonly FileEntry[] = [];
  #reasked = false;
  /** How often the program was asked for anew. */
  #rewrites = 0;
  #isRewriting = false;
  #last: { readonly text: string; readonly why: string } = { text: "", why: "no call was allowed." };

  constructor(work: Work, job: FilesJob) {
    this.#work = work;
    this.#workspace = new Workspace(work.context.task, job.base);
    this.#base = this.#workspace.tree();
    this.#job = job;
    this.#entry = entryOf(work.context.task);
    if (job.baseCheck !== undefined) this.#baseCheck = Promise.resolve(job.baseCheck);
    this.#messages = this.#composeJob();
  }

  /**
   * Runs to the end and gives the best tree.
   *
   * @throws TroupeError `answer_unusable` when no answer held anything usable; `activation_exhausted` when the activation may use no
   *   more before one did.
   */
  async run(): Promise<readonly FileEntry[]> {
    try {
      await this.#askUntilDone();
    } catch (thrown) {
      // What one activation may use is used up: a version that is there is worth more than none.
      const isUsedUp = isTroupeError(thrown) && thrown.code === "activation_exhausted";
      if (!isUsedUp || this.#best === undefined) throw thrown;
    }
    return this.#finish();
  }

  async #askUntilDone(): Promise<void> {
    const { talk, card } = this.#work;
    const tools = talk.tools === "native" ? toolSpecs(card.tools) : [];
    while (talk.left > 0) {
      // The last call must bring the product, so it gets no tools.
      const options = { tools: talk.left > 1 ? tools : [], minTemperature: this.#isRewriting ? this.#rewriteTemperature : 0 };
      const answer = await talk.ask(this.#messages, options);
      const taken = this.#take(answer);
      if (await this.#usesTools(answer)) continue;
      const why = this.#complaint(answer, taken);
      this.#last = { text: answer.text, why: why ?? "" };
      if (why === undefined) {
        if (await this.#isDone(answer)) break;
      } else if (this.#best !== undefined) this.#rewrite(this.#best);
      else if (this.#reasked) break;
      else this.#reask(why, answer);
    }
  }

  #take(answer: ChatAnswer): TakenFiles {
    const taken = takeFiles(this.#work, this.#workspace, answer);
    const isBetter = (file: FileEntry) => !this.#workspace.tree().some((other) => other.path === file.path);
    this.#partial = [...taken.partial, ...this.#partial].filter(isBetter);
    return taken;
  }

  /** Carries out the tool calls of an answer; false when it has none, or no call is left to tell their results. */
  async #usesTools(answer: ChatAnswer): Promise<boolean> {
    const { talk, card } = this.#work;
    const calls = answer.toolCalls.length > 0 ? answer.toolCalls : readToolBlocks(answer.text);
    if (calls.length === 0 || card.tools.length === 0) return false;
    const results = await useTools(this.#work, this.#workspace, calls);
    const next = [...this.#messages, ...toolMessages(answer, calls, results)];
    // A talk that outgrows the context starts again from what was found out last.
    this.#messages = talk.fits(next)
      ? next
      : this.#composeJob({ head: "## Results of your tools\n", text: results.join("\n\n"), weight: 0 });
    return talk.left > 0;
  }

  /** Why the workspace can't be taken as it is after an answer; undefined when it can. */
  #complaint(answer: ChatAnswer, taken: TakenFiles): string | undefined {
    const tree = this.#workspace.tree();
    const told = taken.notes.join(" ");
    if (this.#hasEntry(taken.partial) && this.#best === undefined) return told;
    if (sameTree(tree, this.#base)) return told === "" ? this.#complaintAboutNothingNew(answer, taken) : told;
    if (this.#hasEntry(tree) || this.#reasked) return undefined;
    return told === "" ? `it holds no file ${this.#entry}.` : told;
  }

  #complaintAboutNothingNew({ text }: ChatAnswer, { hasFiles }: TakenFiles): string | undefined {
    const isMeant = hasFiles || (this.#hasEntry(this.#base) && saysNoChange(text));
    if (isMeant) return this.#job.mustChange && !this.#reasked ? "it changes nothing, but a change is asked for." : undefined;
    return text.trim() === "" ? "it was empty." : "it holds no file.";
  }

  #hasEntry(files: readonly FileEntry[]): boolean {
    return files.some((file) => file.path === this.#entry);
  }

  /** Tries the workspace out; false when a failure is worth another call. */
  async #isDone({ text }: ChatAnswer): Promise<boolean> {
    const tree = this.#workspace.tree();
    const before = this.#best;
    if (before !== undefined && sameTree(tree, before.tree)) return this.#rewrite(before);
    const check = await checkTree(this.#work, tree);
    const version: Version = { tree, check, talk: [...this.#messages, { role: "assistant", content: text }] };
    const isProgress = before === undefined || isAhead(check, before.check);
    if (isProgress) this.#best = version;
    if (check === undefined || check.ok || (await this.#breaksTests())) return true;
    return isProgress ? this.#fix(version) : this.#rewrite(before);
  }

  /** Asks for a correction of a version: in the talk that led to it, so that its prompt need not be read again, or anew when that is too long. */
  #fix({ tree, check, talk }: Version): false {
    this.#isRewriting = false;
    const next: ChatMessage[] = [...talk, { role: "user", content: fixRequest(check?.text ?? "") }];
    this.#messages =
      talk.length > 0 && this.#work.talk.fits(next)
        ? next
        : this.#compose([...taskSections(this.#work, tree), ...fixSections(tree, this.#entry, check?.text ?? "")]);
    return false;
  }

  /** Whether what failed passed the task's tests before: then the input is the better product, and mending the change buys nothing. */
  async #breaksTests(): Promise<boolean> {
    const { material, context } = this.#work;
    if (material.artifact?.kind !== "files" || context.task.tests.length === 0) return false;
    return (await this.#checkBase())?.ok === true;
  }

  #checkBase(): Promise<Check | undefined> {
    this.#baseCheck ??= checkTree(this.#work, this.#base);
    return this.#baseCheck;
  }

  /**
   * After an answer that made nothing better: asks for the program anew. Small models copy what they are shown, faults and all, so
   * they are shown the case that went wrong, but not the program.
   */
  #rewrite({ check }: Version): false {
    this.#isRewriting = true;
    this.#rewrites++;
    this.#workspace.reset(this.#base);
    this.#messages = this.#compose([...taskSections(this.#work, this.#base), ...rewriteSections(check?.text ?? "")]);
    return false;
  }

  get #rewriteTemperature(): number {
    return rewriteTemperatures[Math.min(this.#rewrites, rewriteTemperatures.length) - 1] ?? 0;
  }

  #reask(why: string, answer: ChatAnswer): void {
    this.#reasked = true;
    this.#messages = this.#composeJob(reaskSection(why, answer));
  }

  async #finish(): Promise<readonly FileEntry[]> {
    const best = this.#best ?? (await this.#leftover());
    if (best.check === undefined || best.check.ok || this.#base.length === 0) return best.tree;
    const before = await this.#checkBase();
    return scoreOf(before) > scoreOf(best.check) ? this.#base : best.tree;
  }

  /** When no answer was usable as a whole: the pieces there are, or what was given if the model only talked about it. */
  async #leftover(): Promise<Version> {
    const { text, why } = this.#last;
    for (const file of this.#partial) this.#workspace.write(file.path, file.content);
    const tree = this.#workspace.tree();
    if (!sameTree(tree, this.#base)) return { tree, check: await checkTree(this.#work, tree), talk: [] };
    if (!this.#hasEntry(tree) || text.trim() === "") throw answerUnusable(this.#work, why, text);
    report(this.#work, { tool: "write_file", input: "the answer", output: `Handed on unchanged: ${why}`, ok: false });
    return { tree, check: undefined, talk: [] };
  }

  #composeJob(...after: readonly Section[]): ChatMessage[] {
    const { sections, mustChange } = this.#job;
    return this.#compose(sections, mustChange ? "what you change and where" : undefined, after);
  }

  #compose(sections: readonly Section[], first?: string, after: readonly Section[] = []): ChatMessage[] {
    const { talk, context, card, material } = this.#work;
    const product = productSection(context.task, material.task);
    return talk.compose([
      ...sections,
      product,
      ...toolsSection(card.tools, talk),
      filesFormat(context.task, talk.answerLines, first),
      ...after,
    ]);
  }
}

function scoreOf(check: Check | undefined): number {
  return check?.score ?? 0;
}

/** Whether more passes than before, or as much while something else fails: a test that now fails further on. */
function isAhead(check: Check | undefined, before: Check | undefined): boolean {
  const ahead = scoreOf(check) - scoreOf(before);
  return ahead > 0 || (ahead === 0 && failureOf(check) !== failureOf(before));
}

/** What failed, without the lines of the program, which move when it is changed. */
function failureOf(check: Check | undefined): string {
  return check?.text.replaceAll(/^ *\d+ {2}.*$/gm, "") ?? "";
}

function toolMessages(answer: ChatAnswer, calls: readonly ToolCall[], results: readonly string[]): ChatMessage[] {
  if (answer.toolCalls.length === 0) {
    const content = calls.map((call, index) => `Result of ${call.name}:\n${results[index] ?? ""}`).join("\n\n");
    return [
      { role: "assistant", content: answer.text },
      { role: "user", content },
    ];
  }
  return [
    { role: "assistant", content: answer.text, toolCalls: [...calls] },
    ...calls.map((call, index): ChatMessage => ({ role: "tool", content: results[index] ?? "", toolCallId: call.id })),
  ];
}
