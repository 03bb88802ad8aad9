import { z } from "zod";

/** The id of a line in a published set: a text or a number. */
export const lineId = z.union([z.string().min(1).max(200), z.number().int()]).transform(String);
