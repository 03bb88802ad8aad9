import { prepareDag } from "../support/dag-run.mjs";

/** Kahn's algorithm on integers: what any engine by readiness has to do at least. */
export function build(parents, work) {
  const { children, inDegrees } = prepareDag(parents);
  return {
    run: () =>
      new Promise((resolve, reject) => {
        const missing = Int32Array.from(inDegrees);
        let done = 0;
        const start = (node) => {
          work(node).then(() => {
            for (const child of children[node]) if (--missing[child] === 0) start(child);
            if (++done === parents.length) resolve();
          }, reject);
        };
        for (const [node, degree] of inDegrees.entries()) if (degree === 0) start(node);
      }),
  };
}
