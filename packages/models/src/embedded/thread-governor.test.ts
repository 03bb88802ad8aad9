import { describe, expect, it } from "vitest";
import { chooseThreads, usableCores } from "./thread-governor.ts";

const start = { own: 0, idle: 0, wall: 0 };

describe("chooseThreads()", () => {
  it.each([
    ["all cores while alone and computing", { own: 1.9, idle: 0.1, wall: 1 }, 2],
    ["all cores while alone and resting", { own: 0, idle: 2, wall: 1 }, 2],
    ["one core while others fill the machine", { own: 0.3, idle: 0, wall: 1 }, 1],
    ["one core less for one busy neighbour", { own: 1.33, idle: 0, wall: 1 }, 1],
    ["the free core again when the neighbour has ended", { own: 1, idle: 1, wall: 1 }, 2],
    ["all cores beside a little noise", { own: 1.7, idle: 0.1, wall: 1 }, 2],
    ["never more than wanted", { own: 2, idle: 14, wall: 1 }, 4, 4],
    ["the most before anything is known", { own: 0, idle: 0, wall: 0 }, 4, 4],
  ])("takes %s", (_, now, threads, most = 2) => {
    expect(chooseThreads(start, now, most)).toBe(threads);
  });
});

describe("usableCores()", () => {
  it("is at least one", () => {
    expect(usableCores()).toBeGreaterThanOrEqual(1);
  });
});
