const assert = require("node:assert/strict");
const { run } = require("./run-program.cjs");

function gives(input, lines) {
  const ended = run([], input);
  assert.deepEqual([ended.code, ended.lines], [0, lines], JSON.stringify(input));
}

const bar = (length) => "#".repeat(length);

gives("tea 5\ncoffee 10\nmilk 0\n", [`tea    |${bar(10)} 5`, `coffee |${bar(20)} 10`, "milk   | 0"]);
gives("a 1\n", [`a |${bar(20)} 1`]);
gives("a 3\nb 7\nc 1\n", [`a |${bar(9)} 3`, `b |${bar(20)} 7`, `c |${bar(3)} 1`]);
gives("x 1000\ny 974\nz 975\n", [`x |${bar(20)} 1000`, `y |${bar(19)} 974`, `z |${bar(20)} 975`]);
gives("big 400\nsmall 9\ntiny 10\n", [`big   |${bar(20)} 400`, "small | 9", `tiny  |${bar(1)} 10`]);
gives("a 0\nbb 0\n", ["a  | 0", "bb | 0"]);
gives("\na 2\n\nb 4", [`a |${bar(10)} 2`, `b |${bar(20)} 4`]);
gives("", []);
