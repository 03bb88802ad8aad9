// The embedded model's program with a stand-in for the native library; `broken` and `slow` models behave so.
import { runServer } from "../dist/embedded/run-server.js";
import { configVariable, serverConfig } from "../dist/embedded/server-config.js";

const config = serverConfig.parse(JSON.parse(process.env[configVariable] ?? ""));

async function load({ contextTokens }, onProgress) {
  onProgress(0.5);
  if (config.model === "broken") {
    console.error("first line\nerror: invalid magic in the model file");
    process.exit(1);
  }
  if (config.model === "crash") process.kill(process.pid, "SIGSEGV");
  if (config.model === "slow") await new Promise((resolve) => setTimeout(resolve, 60_000));
  return {
    contextTokens,
    close: async () => undefined,
    prepare: async () => ({
      promptTokens: 1,
      generate: async ({ onBegin, onText }) => {
        onBegin();
        onText(`${process.pid} ${process.env.UV_THREADPOOL_SIZE} ${process.env.MY_SECRET ?? "no secret"}`);
        return { finish: "stop", completionTokens: 1, cachedTokens: 0 };
      },
    }),
  };
}

runServer(config, load).then(() => process.exit(0));
