/** One row of the code table. */
export interface ErrorCodeRow {
  /** What happened, in one sentence. */
  readonly summary: string;
  /** What the reader can do about it. */
  readonly help: string;
  /** Whether the same call may succeed later without any change. */
  readonly retryable: boolean;
  /** The exit code of the command when this error ends it. */
  readonly exit: 1 | 2 | 3 | 130;
}

/** Every code that a {@link TroupeError} can carry; the table in `docs/reference/errors.md` is printed from it. */
export const errorCodes = {
  call_invalid: row("The words of a call don't make sense.", "Read the call's --help.", 2),
  file_missing: row("A file that was named is not there.", "Check the path.", 2),
  file_unreadable: row("A file can't be read as what it should be.", "Check that it is a text file of a sensible size.", 2),
  file_invalid: row("A file breaks its schema.", "Mend the places that the message shows.", 2),
  path_escapes: row("A path leaves the folder it must stay in.", "Use a relative path inside the project.", 2),
  task_set_invalid: row("A task set can't be read.", "Mend the lines that the message shows.", 2),
  run_unknown: row("No run has this name.", "List the runs with `troupe runs`.", 2),
  run_pruned: row("The run was pruned.", "Its log and its artifacts are gone; start a new run.", 2),
  run_not_resumable: row("The run can't be gone on with.", "Start a new run, perhaps with --from.", 2),
  topology_changed: row("The topology's file has changed since the run began.", "Go on with --keep or with --accept-changes.", 2),
  run_held: row("Another process works on the run.", "Wait for its end, or stop it.", 1, true),
  run_lost: row("Another process has taken the run over.", "Look at it with `troupe show`.", 1),
  model_unknown: row("A model name is not declared.", "Declare it in troupe.yaml, or pick one that `troupe models list` shows.", 2),
  model_unavailable: row("No model can be had.", "Run `troupe doctor`; it says what is missing.", 1),
  model_unreachable: row("A model endpoint does not answer.", "Start the server or mend its URL.", 1, true),
  model_unauthorized: row("A model endpoint refuses the key.", "Set the variable that `apiKeyEnv` names.", 1),
  model_not_found: row("A model endpoint does not serve this model.", "Compare the name with the server's /v1/models.", 1),
  model_rate_limited: row("A model endpoint asks us to slow down.", "Lower `limits.parallel`, or wait.", 1, true),
  model_failed: row("A model endpoint failed.", "Look into the server's log.", 1, true),
  model_garbage: row("A model endpoint answered something that is not the protocol.", "Check that the URL is OpenAI-compatible.", 1, true),
  model_timeout: row("A model endpoint took too long.", "Raise `timeoutSeconds`, or use a smaller model.", 1, true),
  model_context_overflow: row("The prompt does not fit the model's context.", "Use a model with a larger context, or a smaller task.", 1),
  model_refused: row("A model endpoint refused the request as malformed.", "See the message of the server.", 1),
  model_download_failed: row("A model file could not be fetched.", "See what each source said.", 1),
  answer_unusable: row(
    "A model's answer could not be used, also not after the re-ask.",
    "Read it with `troupe show`; try a larger model.",
    1,
  ),
  sandbox_unavailable: row("No sandbox works here.", "Install bubblewrap, or allow another backend; see `troupe doctor`.", 1),
  sandbox_failed: row("The sandbox itself failed.", "See the message; run `troupe doctor`.", 1, true),
  store_locked: row("The database is in use by another process.", "Wait for the other run, or use another --db.", 1, true),
  store_newer: row("The database was written by a newer version.", "Update Troupe, or use another --db.", 2),
  store_unwritable: row("The database can't be written where it should lie.", "Make its folder writable, or use another --db.", 2),
  store_damaged: row("The database is damaged.", "See the message for what can still be read.", 1),
  disk_full: row("The disk is full.", "Make room and resume the run.", 1),
  limit_reached: row("A limit of the run was reached.", "Raise it in the topology's `limits`, or with --limit-…, and resume.", 3),
  activation_exhausted: row("An activation used what `limits.activation` allows.", "Raise it, or give its agent less to do.", 1),
  activation_timeout: row("An activation took longer than allowed.", "Raise `limits.activationSeconds`.", 1, true),
  human_missing: row("A person is asked, and nobody can answer here.", "Resume the run in a terminal, or with --answer TEXT.", 1),
  human_silent: row(
    "Nobody answered a question in time.",
    "Resume the run when somebody is there, or give the question an `otherwise`.",
    1,
  ),
  human_unclear: row("A person's answers were none of the options, or empty.", "Resume the run; it asks again.", 1),
  condition_failed: row("A condition of an edge or loop asks for what its artifact lacks.", "Ask with has(…) first; see the message.", 1),
  list_invalid: row(
    "An artifact can't be split into the items of a map or reduce edge.",
    "Ask its agent for a list, or split it otherwise.",
    1,
  ),
  loop_idle: row("A loop goes round without anybody working in it.", "See which conditions lead past its agents.", 1),
  deadlocked: row("Nothing can go on, but the run is not finished.", "The message names who waits for what.", 1),
  cancelled: row("The work was interrupted.", "Resume it with `troupe resume`.", 130),
  node_version: row("This version of Node is too old.", "Install Node 20.11 or newer.", 2),
  internal: row("A fault in Troupe or in code it calls.", "Please report it with the log.", 1),
} as const satisfies Record<string, ErrorCodeRow>;

/** A stable error code. */
export type ErrorCode = keyof typeof errorCodes;

function row(summary: string, help: string, exit: ErrorCodeRow["exit"], retryable = false): ErrorCodeRow {
  return { summary, help, retryable, exit };
}
