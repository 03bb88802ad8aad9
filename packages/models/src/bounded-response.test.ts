import { describe, expect, it } from "vitest";
import { boundBody, boundEvents } from "./bounded-response.ts";

const mebibyte = 1024 * 1024;
const filler = "x".repeat(60_000);

/** An answer that repeats a piece as often as somebody reads it, up to 16 MiB; `read` counts the bytes that were taken. */
function repeating(piece: string, times = Number.POSITIVE_INFINITY) {
  const bytes = new TextEncoder().encode(piece);
  let left = Math.min(times, Math.ceil((16 * mebibyte) / bytes.length));
  const count = { read: 0 };
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      if (left-- <= 0) return controller.close();
      count.read += bytes.length;
      controller.enqueue(bytes);
    },
  });
  return { response: new Response(body, { status: 201, headers: { "x-kind": "test" } }), count };
}

describe("boundEvents()", () => {
  it.each([
    ["bytes without a line break", filler],
    ["a line of data without an end", "data: ".padEnd(60_000, "x")],
    ["lines of data without an end of the event", `data: ${filler}\n`],
    ["lines that end with both line breaks", `data: ${filler}\r\n`],
    ["two different line breaks", `data: ${filler}\n\r`],
    ["comments", `: ${filler}\n\n`],
    ["other fields", `id: ${filler}\r\n\r\n`],
    ["data in the middle of a line", `x data: ${filler}\n\n`],
    ["a field that only begins like data", `dat: ${filler}\n\n`],
  ])("refuses %s for ever", async (_, piece) => {
    const { response, count } = repeating(piece);
    await expect(boundEvents(response).text()).rejects.toMatchObject({
      code: "model_garbage",
      message: expect.stringContaining("without one whole event"),
    });
    expect(count.read).toBeGreaterThan(4 * mebibyte);
    expect(count.read).toBeLessThan(5 * mebibyte);
  });

  it.each([
    ["line feeds", `data: ${filler}\n\n`],
    ["carriage returns", `data: ${filler}\r\r`],
    ["both", `data: ${filler}\r\n\r\n`],
    ["comments before each", `: still here\n\n: still here\n\ndata: ${filler}\n\n`],
    ["other fields before the data", `event: x\ndata: ${filler}\n\n`],
    ["events in small lines", `${"data: x\n".repeat(5000)}\n`],
  ])("lets any number of events that end with %s through unchanged", async (_, piece) => {
    const { response } = repeating(piece);
    const bound = boundEvents(response);
    expect([bound.status, bound.headers.get("x-kind")]).toEqual([201, "test"]);
    const text = await bound.text();
    expect(text.length).toBeGreaterThanOrEqual(16 * mebibyte);
    expect(text.slice(-piece.length) === piece).toBe(true);
  });

  it("lets an event in one piece through, and an answer without a body", async () => {
    expect(await boundEvents(repeating(`data: ${"x".repeat(3 * mebibyte)}\n\n`, 1).response).text()).toHaveLength(3 * mebibyte + 8);
    expect(boundEvents(new Response(null, { status: 204 })).status).toBe(204);
  });
});

describe("boundBody()", () => {
  it("refuses a body that does not end, whatever is in it", async () => {
    const { response, count } = repeating(`data: ${filler}\n\n`);
    await expect(boundBody(response).text()).rejects.toMatchObject({ code: "model_garbage" });
    expect(count.read).toBeLessThan(5 * mebibyte);
    expect(await boundBody(repeating(filler, 60).response).text()).toHaveLength(60 * filler.length);
  });
});
