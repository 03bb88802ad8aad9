const assert = require("node:assert/strict");
const { slugify } = require("./main.js");

const cases = {
  "Hello, World!": "hello-world",
  "  Crème brûlée (2 ways)": "creme-brulee-2-ways",
  "ÀÉÎÕÜ ñ ç": "aeiou-n-c",
  "already-a-slug": "already-a-slug",
  "a -- b__c": "a-b-c",
  "100% of 3.5": "100-of-3-5",
  "tab\tand\nline": "tab-and-line",
  "--x--": "x",
  "!?": "",
  "": "",
};
for (const [text, slug] of Object.entries(cases)) assert.equal(slugify(text), slug, `slugify(${JSON.stringify(text)})`);
