import { loadLlama } from "./llama-inference.ts";
import { runServer } from "./run-server.ts";
import { configVariable, serverConfig } from "./server-config.ts";

// The program of the embedded model's process; see startEmbedded and serveModel.
const text = process.env[configVariable] ?? "";
delete process.env[configVariable];
runServer(serverConfig.parse(JSON.parse(text)), loadLlama).then(
  () => process.exit(0),
  (error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  },
);
