import { TroupeError } from "@troupe/schema";
import { expect, test } from "vitest";
import { reasonOf, sandboxFailed } from "./sandbox-failed.ts";

test("sandboxFailed() says what to do, which reasonOf() leaves out for the doctor", () => {
  const cause = new Error("EACCES");
  const error = sandboxFailed("No folder can be made in /x (EACCES).", cause);
  expect(error).toMatchObject({ code: "sandbox_failed", cause, message: expect.stringMatching(/\(EACCES\)\. Run `troupe doctor`: .*\.$/) });
  expect(reasonOf(error)).toBe("No folder can be made in /x (EACCES).");
  expect(reasonOf(new TroupeError("sandbox_unavailable", "No bwrap. Install it."))).toBe("No bwrap. Install it.");
});
