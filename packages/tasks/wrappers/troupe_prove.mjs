// Runs a hidden test and proves that it came to its end.
//
// Call: node troupe_prove.mjs TEST ARGUMENT..., with the name of the proof file as the one line of standard input. The file is
// written when the test has been loaded and nothing is left to do; whatever ends the process earlier, such as process.exit in a
// product, leaves none.
import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

const proof = resolve(readFileSync(0, "utf8").trim());
process.argv.splice(1, 1);
process.argv[1] = resolve(process.argv[1]);
await import(pathToFileURL(process.argv[1]).href);
process.once("beforeExit", () => writeFileSync(proof, "", { flag: "wx" }));
