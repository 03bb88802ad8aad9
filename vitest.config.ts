import { defineConfig } from "vitest/config";

const resolve = { conditions: ["source", "module", "node", "default"] };

export default defineConfig({
  resolve,
  ssr: { resolve },
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          include: ["packages/*/src/**/*.test.ts", "test/unit/**/*.test.ts", "test/complaints/**/*.test.ts"],
          testTimeout: 30_000,
        },
      },
      {
        extends: true,
        test: { name: "system", include: ["test/system/**/*.test.ts"], testTimeout: 300_000, fileParallelism: false },
      },
    ],
  },
});
