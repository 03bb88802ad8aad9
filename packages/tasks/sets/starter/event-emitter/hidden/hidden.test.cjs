const assert = require("node:assert/strict");
const { Emitter } = require("./emitter.js");
const { run } = require("./run-program.cjs");

// Order, values and the number of calls.
{
  const emitter = new Emitter();
  const calls = [];
  assert.equal(emitter.emit("nothing", 1), 0);
  emitter.on("a", (...values) => calls.push(["first", ...values]));
  emitter.on("a", (...values) => calls.push(["second", ...values]));
  emitter.on("b", () => calls.push(["other"]));
  assert.equal(emitter.emit("a", 1, 2), 2);
  assert.deepEqual(calls, [
    ["first", 1, 2],
    ["second", 1, 2],
  ]);
}

// The function that `on` returns removes one listener, once.
{
  const emitter = new Emitter();
  let calls = 0;
  const listener = () => calls++;
  const remove = emitter.on("a", listener);
  emitter.on("a", listener);
  assert.equal(emitter.emit("a"), 2);
  remove();
  remove();
  assert.equal(emitter.emit("a"), 1);
  assert.equal(calls, 3);
}

// `once`.
{
  const emitter = new Emitter();
  let calls = 0;
  emitter.once("a", () => {
    calls++;
    emitter.emit("a");
  });
  assert.equal(emitter.emit("a"), 1);
  assert.equal(emitter.emit("a"), 0);
  assert.equal(calls, 1);
  const remove = emitter.once("b", () => calls++);
  remove();
  assert.equal(emitter.emit("b"), 0);
}

// Listeners that come and go during `emit`.
{
  const emitter = new Emitter();
  const calls = [];
  emitter.once("a", () => {
    calls.push("first");
    removeThird();
    emitter.on("a", () => calls.push("late"));
  });
  emitter.on("a", () => calls.push("second"));
  const removeThird = emitter.on("a", () => calls.push("third"));
  assert.equal(emitter.emit("a"), 2);
  assert.deepEqual(calls, ["first", "second"]);
  assert.equal(emitter.emit("a"), 2);
  assert.deepEqual(calls, ["first", "second", "second", "late"]);
}

// Names of what every object has are ordinary names.
{
  const emitter = new Emitter();
  assert.equal(emitter.emit("constructor"), 0);
  emitter.on("toString", () => {});
  assert.equal(emitter.emit("toString"), 1);
}

// The program.
{
  const ended = run([], "on door a\nonce door b\n\nemit door open\nemit door shut\nemit bell x\n");
  assert.deepEqual([ended.code, ended.lines], [0, ["a: open", "b: open", "called 2", "a: shut", "called 1", "called 0"]]);
}
