import { arrows, mayImport } from "./scripts/layers.mjs";

// Import directions are the architecture's; the same table drives test/unit/imports.test.ts.

const packages = [...Object.keys(arrows), "troupe"];
const source = (names) => `^packages/(${names.join("|")})/`;

const directions = packages.map((name) => ({
  name: `arrows-of-${name}`,
  comment: `${name} may import ${mayImport(name).join(", ") || "no other package"}.`,
  severity: "error",
  from: { path: source([name]), pathNot: "\\.test\\.ts$" },
  to: { path: "^packages/", pathNot: source([name, ...mayImport(name)]) },
}));

export default {
  forbidden: [
    ...directions,
    {
      name: "no-cycles",
      comment: "A cycle of imports at run time.",
      severity: "error",
      from: { path: "^packages/" },
      to: { circular: true, viaOnly: { dependencyTypesNot: ["type-only"] } },
    },
    {
      name: "no-deep-imports",
      comment: "Import another package by its name; its index is its surface.",
      severity: "error",
      from: { path: "^packages/([^/]+)/src/" },
      to: { path: "^packages/([^/]+)/", pathNot: ["^packages/$1/", "^packages/[^/]+/src/index\\.ts$"] },
    },
    {
      name: "no-undeclared",
      comment: "A dependency that the package's own package.json does not name.",
      severity: "error",
      from: { path: "^packages/[^/]+/src/", pathNot: "\\.test\\.ts$" },
      to: { dependencyTypes: ["npm-no-pkg", "npm-unknown", "unknown"] },
    },
    {
      name: "resolvable",
      comment: "An import that leads nowhere.",
      severity: "error",
      from: { path: "^(packages|test)/" },
      to: { couldNotResolve: true },
    },
    {
      name: "no-tests",
      comment: "Code that ships must not import tests or what supports them.",
      severity: "error",
      from: { path: "^packages/", pathNot: "\\.test\\.ts$" },
      to: { path: "(\\.test\\.ts$|^test/)" },
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    exclude: { path: "(/dist/|^packages/tasks/sets/)" },
    tsPreCompilationDeps: "specify",
    tsConfig: { fileName: "tsconfig.test.json" },
    combinedDependencies: false,
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["source", "import", "node", "default"],
      extensions: [".ts", ".mjs", ".js"],
    },
  },
};
