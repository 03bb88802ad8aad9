import { describe, expect, it } from "vitest";
import { seccompFilter } from "./seccomp-filter.ts";

const allowed = 0x7fff0000;
const refused = (errno: number) => 0x00050000 | errno;
const x64 = 0xc000003e;

/** What the kernel would answer: the program run on one call. */
function answer(filter: Buffer, call: { audit: number; number: number; argument?: number }): number {
  const words = new Map([
    [0, call.number],
    [4, call.audit],
    [16, call.argument ?? 0],
  ]);
  let held = 0;
  for (let at = 0; ; at += 1) {
    const [code, ifTrue, ifFalse, k] = [
      filter.readUInt16LE(at * 8),
      filter.readUInt8(at * 8 + 2),
      filter.readUInt8(at * 8 + 3),
      filter.readUInt32LE(at * 8 + 4),
    ];
    const jump = (yes: boolean) => {
      at += yes ? ifTrue : ifFalse;
    };
    if (code === 0x06) return k;
    if (code === 0x20) held = words.get(k) ?? Number.NaN;
    else if (code === 0x15) jump(held === k);
    else if (code === 0x35) jump(held >= k);
    else if (code === 0x45) jump((held & k) !== 0);
    else throw new Error(`unknown instruction ${code}`);
  }
}

describe("seccompFilter()", () => {
  const filter = seccompFilter("x64") ?? Buffer.alloc(0);

  it.each([
    ["read", { number: 0 }, allowed],
    ["execve", { number: 59 }, allowed],
    ["fork by clone", { number: 56, argument: 17 }, allowed],
    ["a thread by clone", { number: 56, argument: 0x3d0f00 }, allowed],
    ["a user namespace by clone", { number: 56, argument: 0x10000000 | 17 }, refused(1)],
    ["clone3, so that clone is used", { number: 435 }, refused(38)],
    ["unshare", { number: 272 }, refused(1)],
    ["ptrace", { number: 101 }, refused(1)],
    ["io_uring_setup", { number: 425 }, refused(1)],
    ["a unix socket", { number: 41, argument: 1 }, allowed],
    ["an IPv6 socket", { number: 41, argument: 10 }, allowed],
    ["a socket to the virtual machine's host", { number: 41, argument: 40 }, refused(97)],
    ["a packet socket", { number: 41, argument: 17 }, refused(97)],
    ["a call of the x32 interface", { number: 0x40000000 }, refused(38)],
  ])("answers to %s", (_name, call, expected) => {
    expect(answer(filter, { audit: x64, ...call })).toBe(expected);
  });

  it("refuses every call of another processor's interface", () => {
    expect(answer(filter, { audit: 0x40000003, number: 3 })).toBe(refused(1));
  });

  it("knows arm64, and says so when it knows a processor not", () => {
    expect(answer(seccompFilter("arm64") ?? Buffer.alloc(0), { audit: 0xc00000b7, number: 117 })).toBe(refused(1));
    expect(seccompFilter("mips")).toBeUndefined();
  });
});
