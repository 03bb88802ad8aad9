// Counts a vitest JSON report: prints "passed failed skipped" to stdout, and the name of each test that did not run to stderr.

import { readFileSync } from "node:fs";

const report = JSON.parse(readFileSync(process.argv[2], "utf8"));
const tests = report.testResults.flatMap(({ assertionResults }) => assertionResults);
const brokenFiles = report.testResults.filter(({ status, assertionResults }) => status === "failed" && assertionResults.length === 0);
const count = (...states) => tests.filter(({ status }) => states.includes(status)).length;
for (const { status, fullName } of tests) if (!["passed", "failed"].includes(status)) process.stderr.write(`skipped: ${fullName}\n`);
process.stdout.write(`${count("passed")} ${count("failed") + brokenFiles.length} ${count("pending", "skipped", "todo", "disabled")}\n`);
