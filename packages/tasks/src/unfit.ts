import { isTroupeError } from "@troupe/schema";

/**
 * What a model wrote can be a tree that no disk can hold, such as a file inside a file; that is the product's fault.
 *
 * @throws any other error of the sandbox.
 */
export function unfit(error: unknown): { unfit: string } {
  if (isTroupeError(error, "call_invalid") || isTroupeError(error, "path_escapes")) {
    return { unfit: `The product can't be laid out: ${error.message}` };
  }
  throw error;
}
