// Runs a hidden test and proves that it came to its end.
//
// Call: node troupe_prove.mjs TEST ARGUMENT..., with the name of the proof file as the one line of standard input. The file is
// written when the test has been loaded and nothing is left to do; whatever ends the process earlier, such as process.exit in a
// product, leaves none.
import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";

const proof = resolve(readFileSync(0, "utf8").trim());
const test = process.argv[2];
process.argv.splice(1, 2, resolve(test));
await import(`./${test}`);
const prove = () => writeFileSync(proof, "");
// The WebAssembly sandbox has no such event; there a test is over when it has been loaded.
if (process.platform === "wasm") prove();
else process.once("beforeExit", prove);
