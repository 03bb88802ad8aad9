import { expect, test } from "vitest";
import { inflectionsOf } from "./inflections.ts";

test.each([
  ["carry", "carries carried carrying"],
  ["watch", "watches watched watching"],
  ["ride", "rides rode ridden riding"],
  ["stop", "stops stopped stopping"],
  ["travel", "travels traveled travelled traveling travelling"],
  ["quit", "quits quitting"],
  ["tie", "ties tied tying"],
  ["dye", "dyes dyed dyeing"],
  ["knife", "knives"],
  ["tomato", "tomatoes"],
  ["piano", "pianos"],
  ["policeman", "policemen"],
  ["tooth", "teeth"],
  ["swim", "swims swam swum swimming"],
  ["sheep", "sheep"],
  ["play", "plays played playing"],
])("inflectionsOf(%j) has %s", (word, forms) => {
  expect([...inflectionsOf(word)]).toEqual(expect.arrayContaining([word, ...forms.split(" ")]));
});

test.each([
  ["dance", "dancer"],
  ["perform", "performance"],
  ["hop", "hoping"],
  ["cat", "category"],
  ["car", "cars'"],
  ["short", "shorter"],
])("inflectionsOf(%j) has not %s", (word, form) => {
  expect([...inflectionsOf(word)]).not.toContain(form);
});
