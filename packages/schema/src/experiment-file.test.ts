import { describe, expect, it } from "vitest";
import { type ExperimentFile, experimentFile, topologyOverrides } from "./experiment-file.ts";
import { toJsonSchema } from "./json-schema.ts";

const least = { experiment: 1, name: "x", tasks: { set: "programs" }, systems: [{ topology: "a.yaml" }, { topology: "b.yaml" }] };

const range = (count: number): number[] => Array.from({ length: count }, (_, i) => i + 1);

function messagesOf(more: Record<string, unknown>): string[] {
  return (experimentFile.safeParse({ ...least, ...more }).error?.issues ?? []).map(({ path, message }) => `${path.join(".")} ${message}`);
}

describe("experimentFile", () => {
  it("fills in what is not said", () => {
    expect(experimentFile.parse(least)).toMatchObject({
      seeds: [0],
      jobs: 1,
      metrics: ["passed", "tokens", "seconds", "calls"],
      statistics: { pairs: "first", alpha: 0.05, resamples: 10_000, seed: 1, tokenTolerance: 0.1 },
      tasks: { tags: [] },
    } satisfies Partial<Record<keyof ExperimentFile, unknown>>);
  });

  it("says which names, seeds, shares and pairs don't fit each other", () => {
    const cases: [Record<string, unknown>, RegExp][] = [
      [{ systems: [{ topology: "a.yaml" }, { topology: "a.yaml" }] }, /^systems\.1 is called "a.yaml", as systems\[0\] is/],
      [{ systems: [{ topology: "a.yaml", limits: { tokens: 5 } }] }, /^systems\.0 needs a `name`/],
      [{ seeds: [1, 2, 1] }, /^seeds\.2 is a seed that is in the list/],
      [{ seeds: { from: 2 ** 32 - 1, count: 2 } }, /^seeds\.count leads beyond/],
      [{ tasks: { set: "x", split: { parts: { dev: 0.5, test: 0.6 }, use: "dev" } } }, /add up to 1\.1/],
      [{ tasks: { set: "x", split: { parts: { dev: 0.5, test: ["a"] }, use: "dev" } } }, /mixes shares and lists/],
      [{ tasks: { set: "x", split: { parts: { dev: ["a"], test: ["a"] }, use: "dev" } } }, /test names "a", which is in dev already/],
      [{ tasks: { set: "x", split: { parts: { dev: 1 }, use: "test" } } }, /use is "test", which is none of the parts: dev/],
      [
        { statistics: { pairs: [["a.yaml", "c.yaml"]] } },
        /^statistics\.pairs\.0 names "c.yaml", which is none of the systems: a.yaml, b.yaml/,
      ],
      [{ statistics: { pairs: [["a.yaml", "a.yaml"]] } }, /with itself/],
      [
        {
          statistics: {
            pairs: [
              ["a.yaml", "b.yaml"],
              ["b.yaml", "a.yaml"],
            ],
          },
        },
        /in the list already/,
      ],
    ];
    const net = (vary: unknown) => ({ systems: [{ topology: "a.yaml" }, { name: "net", topology: "b.yaml", vary }] });
    cases.push(
      [{ systems: [{ topology: "a.yaml", vary: { "shape.size": [1] } }] }, /^systems\.0 needs a `name`/],
      [net({}), /^systems\.1\.vary varies nothing/],
      [net({ "shape.size": [1, 2, 1] }), /^systems\.1\.vary\.shape\.size\.2 is a value that is in the list already/],
      [net({ "shape.size": range(50), "shape.seed": range(50) }), /^systems\.1\.vary makes 2500 systems, more than 1000/],
      [net({ "defaults.critic": ["a/strict.yaml", "b/strict.yaml"] }), /makes two systems whose names end with "-strict"/],
      [
        { systems: [{ name: "net-1", topology: "a.yaml" }, ...net({ "shape.size": [1, 2] }).systems] },
        /^systems\.2 is called "net-1", as systems\[0\] is/,
      ],
      [
        { ...net({ "shape.size": range(20) }), statistics: { pairs: [["a.yaml", "net-*-1"]] } },
        /^statistics\.pairs\.0 names "net-\*-1", which is none of the systems: a\.yaml, net-1, .*net-11 and 9 more/,
      ],
      [{ metrics: ["tokens"], scaling: { measure: "quality" } }, /^scaling\.measure is "quality", which is none of the `metrics`: tokens/],
    );
    for (const [more, message] of cases) expect(messagesOf(more)).toEqual([expect.stringMatching(message)]);
    expect(messagesOf({ seed: 1 })).toHaveLength(1);
  });

  it("describes every field", () => {
    const bare: string[] = [];
    const walk = (schema: Record<string, unknown>, path: string): void => {
      for (const [name, field] of Object.entries((schema["properties"] ?? {}) as Record<string, Record<string, unknown>>)) {
        if (field["description"] === undefined && field["const"] === undefined) bare.push(`${path}${name}`);
        walk(field, `${path}${name}.`);
        walk((field["items"] ?? {}) as Record<string, unknown>, `${path}${name}[].`);
      }
    };
    walk(toJsonSchema("experiment"), "");
    expect(bare).toEqual([]);
  });
});

describe("topologyOverrides", () => {
  it("leaves out what is not written, so that the topology's own values stay", () => {
    expect(topologyOverrides.parse({ defaults: { model: "small" } })).toEqual({ defaults: { model: "small" } });
    expect(topologyOverrides.safeParse({ director: "fixed" }).success).toBe(false);
  });
});
