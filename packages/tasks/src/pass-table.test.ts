import { expect, test } from "vitest";
import { comparePaired, formatPassTable, type GradedProduct, passTable } from "./pass-table.ts";

const results: GradedProduct[] = [
  { system: "single", task: "a", passed: true, tokens: 100, seconds: 2 },
  { system: "single", task: "b", passed: false, tokens: 300, seconds: 4 },
  { system: "single", task: "c", passed: false },
  { system: "chain", task: "a", passed: true },
  { system: "chain", task: "b", passed: true },
  { system: "chain", task: "x", passed: true },
];

test("passTable() counts each system and averages what is known", () => {
  const [single, chain] = passTable(results);
  expect(single).toMatchObject({ system: "single", passed: 1, total: 3, tokensPerTask: 200, secondsPerTask: 3 });
  expect(chain).toMatchObject({ system: "chain", passed: 3, total: 3, tokensPerTask: undefined, secondsPerTask: undefined });
  expect(chain?.interval.high).toBe(1);
  expect(passTable([])).toEqual([]);
});

test("formatPassTable() writes a Markdown table", () => {
  expect(formatPassTable(passTable(results)).split("\n")).toEqual([
    "| system | passed | share | 95 % interval | tokens per task | seconds per task |",
    "|---|---|---|---|---|---|",
    "| single | 1 / 3 | 33.3 % | 6.1 % – 79.2 % | 200 | 3.0 |",
    "| chain | 3 / 3 | 100.0 % | 43.9 % – 100.0 % | – | – |",
  ]);
});

test("comparePaired() counts only tasks that both systems did", () => {
  expect(comparePaired(results, "single", "chain")).toEqual({ both: 1, onlyA: 0, onlyB: 1, neither: 0, p: 1 });
});

test("comparePaired() refuses two results under one name", () => {
  const twice = [...results, { system: "chain", task: "a", passed: false }];
  expect(() => comparePaired(twice, "single", "chain")).toThrow("add the seed");
});
