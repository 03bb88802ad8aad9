/** Why a command stops before its end; known by its `exit`, so that starting the command need not load the error classes. */
export function interruption(by: string): Error {
  return Object.assign(new Error(`interrupted by ${by}`), { code: "cancelled", exit: 130 });
}
