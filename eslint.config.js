import { defineConfig } from "eslint/config";
import tseslint from "typescript-eslint";

// Biome formats and lints; ESLint adds only what needs types, and the house rules on size.

const size = {
  "max-lines": ["error", 300],
  "max-lines-per-function": ["error", { max: 40, skipBlankLines: true, skipComments: true, IIFEs: true }],
  "max-params": ["error", 4],
  complexity: ["error", { max: 12, variant: "modified" }],
};

const restricted = [
  {
    selector: ":not(MemberExpression[property.name='immediate']) > CallExpression[callee.property.name='transaction']",
    message: "Begin a write transaction at once: db.transaction(work).immediate(). A deferred one loses writes when two processes meet.",
  },
  { selector: "ExportDefaultDeclaration", message: "Export by name." },
  { selector: "ExportAllDeclaration", message: "Re-export by name, so that the surface of a package is what its index says." },
];

const unsafe = ["argument", "assignment", "call", "member-access", "return"].map((use) => `@typescript-eslint/no-unsafe-${use}`);

const typed = {
  ...Object.fromEntries(unsafe.map((rule) => [rule, "error"])),
  "@typescript-eslint/await-thenable": "error",
  "@typescript-eslint/consistent-type-imports": ["error", { fixStyle: "inline-type-imports" }],
  "@typescript-eslint/no-base-to-string": "error",
  "@typescript-eslint/no-floating-promises": "error",
  "@typescript-eslint/no-for-in-array": "error",
  "@typescript-eslint/no-misused-promises": "error",
  "@typescript-eslint/no-misused-spread": "error",
  "@typescript-eslint/no-unnecessary-condition": ["error", { allowConstantLoopConditions: "only-allowed-literals" }],
  "@typescript-eslint/no-unnecessary-type-assertion": "error",
  "@typescript-eslint/only-throw-error": "off",
  "@typescript-eslint/prefer-readonly": "error",
  "@typescript-eslint/restrict-plus-operands": "error",
  "@typescript-eslint/return-await": ["error", "in-try-catch"],
  "@typescript-eslint/switch-exhaustiveness-check": ["error", { considerDefaultExhaustiveForUnions: true }],
};

export default defineConfig(
  { ignores: ["**/dist/", "**/node_modules/", "out/", "coverage/", "packages/tasks/sets/"] },
  { linterOptions: { reportUnusedDisableDirectives: "error", noInlineConfig: true } },
  { rules: { ...size, "no-restricted-syntax": ["error", ...restricted], "no-warning-comments": "error" } },
  {
    files: ["packages/*/src/**/*.ts", "test/**/*.ts", "vitest.config.ts"],
    languageOptions: {
      parser: tseslint.parser,
      parserOptions: { project: ["./tsconfig.test.json"], tsconfigRootDir: import.meta.dirname },
    },
    plugins: { "@typescript-eslint": tseslint.plugin },
    rules: typed,
  },
  {
    files: ["**/*.test.ts", "test/**"],
    rules: { "max-lines": ["error", 500], "max-lines-per-function": "off", ...Object.fromEntries(unsafe.map((rule) => [rule, "off"])) },
  },
  {
    files: ["*.config.js", "*.config.ts", ".dependency-cruiser.mjs"],
    rules: { "no-restricted-syntax": "off" },
  },
);
