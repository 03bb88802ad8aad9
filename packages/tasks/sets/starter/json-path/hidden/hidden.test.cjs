const assert = require("node:assert/strict");
const { run } = require("./run-program.cjs");

const input = JSON.stringify({
  users: [{ name: "Ann", age: 0 }, { name: "" }],
  on: false,
  off: null,
  deep: { a: { b: { c: [1, [2, 3]] } } },
  text: 'say "hi"',
});

function prints(path, line) {
  const ended = run([path], input);
  assert.deepEqual([ended.code, ended.lines], [0, line === "" ? [] : [line]], path);
}

function fails(code, args, text = input) {
  const ended = run(args, text);
  assert.deepEqual([ended.code, ended.lines], [code, []], args.join(" "));
  assert.notEqual(ended.err.trim(), "", args.join(" "));
}

prints("users.0.name", "Ann");
prints("text", 'say "hi"');
prints("deep.a", '{"b":{"c":[1,[2,3]]}}');
prints("deep.a.b.c.1.0", "2");
prints("deep.a.b.c.1", "[2,3]");
prints("users.0.age", "0");
prints("on", "false");
prints("off", "null");
prints("users.1.name", "");
fails(1, ["nobody"]);
fails(1, ["users.2"]);
fails(1, ["users.0.name.first"]);
fails(1, ["on.x"]);
fails(1, ["off.x"]);
fails(1, ["deep.toString"]);
fails(2, ["users"], "{broken");
fails(2, ["users"], "");
fails(2, []);
fails(2, ["users", "0"]);
