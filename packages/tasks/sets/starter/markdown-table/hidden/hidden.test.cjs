const assert = require("node:assert/strict");
const { run } = require("./run-program.cjs");

function gives(input, lines) {
  const ended = run([], input);
  assert.deepEqual([ended.code, ended.lines], [0, lines], JSON.stringify(input));
}

gives("name,price\ntea,2\n", ["| name | price |", "| --- | --- |", "| tea | 2 |"]);
gives("name, price\ntea,2\ncake\n", ["| name | price |", "| --- | --- |", "| tea | 2 |", "| cake |  |"]);
gives("a\n", ["| a |", "| --- |"]);
gives("a,b,c\n1\n1,2\n", ["| a | b | c |", "| --- | --- | --- |", "| 1 |  |  |", "| 1 | 2 |  |"]);
gives("a,b\n1,2,3,4\n", ["| a | b |", "| --- | --- |", "| 1 | 2 |"]);
gives("  a ,\tb\n x y , z\n", ["| a | b |", "| --- | --- |", "| x y | z |"]);
gives("a|b,c\n||,|d\n", ["| a\\|b | c |", "| --- | --- |", "| \\|\\| | \\|d |"]);
gives("\n\na,b\n\n   \n1,2", ["| a | b |", "| --- | --- |", "| 1 | 2 |"]);
gives("a,,c\n", ["| a |  | c |", "| --- | --- | --- |"]);
gives("", []);
gives("\n \n", []);
