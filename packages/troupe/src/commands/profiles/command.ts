import { buildCommand, buildRouteMap } from "@stricli/core";
import { jsonFlag, modelsFlag, textFlag, wholeFlag } from "../flags.ts";
import { wholeNumber } from "../read-number.ts";

/** So many still fit into a file that topologies read. */
const mostProfiles = 1000;

const list = buildCommand({
  loader: async () => (await import("./list.ts")).list,
  parameters: {
    positional: { kind: "tuple", parameters: [{ brief: "A pool of profiles", parse: String, placeholder: "file" }] },
    flags: { ...jsonFlag },
  },
  docs: {
    brief: "Show the profiles of a pool",
    fullDescription: `Reads a pool, reports everything that is wrong with it, and shows its profiles.

Example:
  troupe profiles list agents/profiles/engineers.yaml`,
  },
});

const generate = buildCommand({
  loader: async () => (await import("./generate.ts")).generate,
  parameters: {
    positional: { kind: "tuple", parameters: [] },
    flags: {
      out: { kind: "parsed", parse: String, brief: "The pool; profiles are added to one that is there", placeholder: "file" },
      count: {
        kind: "parsed",
        parse: wholeNumber({ min: 1, max: mostProfiles }),
        brief: "How many profiles the pool shall have in the end",
        placeholder: "n",
      },
      about: textFlag("What the people are for or have in common; default: the description of the pool", "text"),
      model: textFlag("A name under models: in troupe.yaml; default: default", "name"),
      seed: wholeFlag("Seed of the calls; default 0", "n", { min: 0, max: 2 ** 32 - 1 }),
      ...modelsFlag,
      ...jsonFlag,
    },
  },
  docs: {
    brief: "Let a model write profiles into a pool",
    fullDescription: `Asks a model for people, a few a call, leaves out those that are there already in nearly the same words, and adds the others to the file as they come.
The same call goes on where an earlier one stopped.

Examples:
  troupe profiles generate --count 40 --about "people who write or review shell scripts" --out agents/profiles/shell.yaml
  troupe profiles generate --count 80 --out agents/profiles/shell.yaml

Exit codes: 0 the pool has so many, 1 the model failed or had nobody new any more, 2 the call or the file was wrong, 130 interrupted.`,
  },
});

/** `troupe profiles`: pools of profiles. */
export const profilesRoutes = buildRouteMap({ routes: { list, generate }, docs: { brief: "See and make profiles for agents" } });
