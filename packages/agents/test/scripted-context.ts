import {
  type ActivationContext,
  type AgentCard,
  type Artifact,
  agentCard,
  type ChatAnswer,
  type ChatRequest,
  createRandom,
  type FileEntry,
  type ModelInfo,
  noUsage,
  publicTask,
  type PublicTask,
  type Sandbox,
  type SandboxJob,
  type SandboxResult,
  type ToolReport,
} from "@troupe/schema";

/** One answer of the scripted model: its text, or more of it. */
export type Scripted = string | Partial<ChatAnswer> | ((request: ChatRequest) => string | Partial<ChatAnswer>);

/** A context whose model answers from a list, and which remembers what it was asked and told. */
export interface ScriptedContext extends ActivationContext {
  readonly requests: ChatRequest[];
  readonly reports: ToolReport[];
}

/** What a {@link ScriptedContext} is made of; everything has a default. */
export interface Script {
  readonly answers: readonly Scripted[];
  readonly card?: Partial<AgentCard>;
  readonly task?: Partial<PublicTask>;
  readonly inputs?: readonly (readonly [string, Artifact])[];
  readonly model?: Partial<ModelInfo>;
  readonly signal?: AbortSignal;
  readonly temperature?: number;
}

/** Makes a context for the tests of this package. */
export function scriptedContext(script: Script): ScriptedContext {
  const requests: ChatRequest[] = [];
  const reports: ToolReport[] = [];
  const left = [...script.answers];
  const task = publicTask.parse({ id: "t", prompt: "Add two numbers.", ...script.task });
  const { temperature } = script;
  return {
    requests,
    reports,
    activation: {
      id: 7,
      kind: "act",
      agent: "maker",
      inputs: [],
      after: [],
      scope: "",
      label: "1 act",
      priority: 0,
      meta: {},
      ...(temperature === undefined ? {} : { temperature }),
    },
    attempt: 1,
    signal: script.signal ?? new AbortController().signal,
    task,
    card: agentCard.parse({ agent: 1, name: "maker", kind: "actor", instructions: "Make it.", ...script.card }),
    inputs: [["task", { kind: "text", text: task.prompt }] as const, ...(script.inputs ?? [])].map(([name, artifact]) => ({
      name,
      artifact,
    })),
    random: createRandom(1),
    chat: (request) => {
      requests.push(request);
      const next = left.shift();
      if (next === undefined) return Promise.reject(new Error("The script has no more answers."));
      const answer = typeof next === "function" ? next(request) : next;
      const given = typeof answer === "string" ? { text: answer } : answer;
      return Promise.resolve({ text: "", toolCalls: [], finish: "stop", usage: noUsage, endpoint: "script", ...given });
    },
    modelInfo: () => Promise.resolve({ contextTokens: 8192, tools: "text", ...script.model }),
    report: (tool) => reports.push(tool),
  };
}

/** A sandbox that runs nothing: a function says what a job does. */
export function fakeSandbox(run: (job: SandboxJob) => Partial<SandboxResult> = () => ({})): Sandbox & { readonly jobs: SandboxJob[] } {
  const jobs: SandboxJob[] = [];
  return {
    name: "fake",
    strength: "none",
    jobs,
    run: (job) => {
      jobs.push(job);
      const result: SandboxResult = {
        ended: "exited",
        exitCode: 0,
        stdout: "",
        stderr: "",
        truncated: false,
        seconds: 0.1,
        files: job.files,
        sandbox: "fake",
        ...run(job),
      };
      return Promise.resolve(result);
    },
  };
}

/** A tree as an artifact. */
export function filesArtifact(tree: Record<string, string>): Artifact {
  return { kind: "files", files: toFiles(tree) };
}

/** A tree from paths to contents. */
export function toFiles(tree: Record<string, string>): FileEntry[] {
  return Object.entries(tree)
    .map(([path, content]): FileEntry => ({ path, encoding: "utf8", content }))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** The paths and contents of an artifact of files. */
export function treeOf(artifact: Artifact): Record<string, string> {
  return artifact.kind === "files" ? Object.fromEntries(artifact.files.map((file) => [file.path, file.content])) : {};
}

/** A fenced file as a model writes it. */
export function fencedFile(path: string, content: string): string {
  return `${path}\n\`\`\`python\n${content}\n\`\`\``;
}
