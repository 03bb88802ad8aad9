const { readFileSync } = require("node:fs");
const { Emitter } = require("./emitter.js");

const emitter = new Emitter();
for (const line of readFileSync(0, "utf8").split("\n")) {
  const [command, name, word] = line.split(" ");
  if (command === "on" || command === "once") emitter[command](name, (value) => console.log(`${word}: ${value}`));
  if (command === "emit") console.log(`called ${emitter.emit(name, word)}`);
}
