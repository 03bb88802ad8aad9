#!/usr/bin/env node
const [major, minor] = process.versions.node.split(".").map(Number);
if (major < 20 || (major === 20 && minor < 11)) {
  process.stderr.write(`troupe: Node ${process.versions.node} is too old. Install Node 20.11 or newer (https://nodejs.org).\n`);
  process.exit(2);
}
const { main } = await import("../dist/main.js");
await main(process);
