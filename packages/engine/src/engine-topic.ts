/** Notices whose topic begins like this are the engine's own words in the log; directors don't hear of them. */
export const engineTopic = "engine.";
