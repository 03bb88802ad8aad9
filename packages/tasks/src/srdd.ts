import type { Task } from "@troupe/schema";
import { z } from "zod";

/** The columns of SRDD as published (arXiv 2307.07924). */
export const srddColumns = ["Name", "Description", "Category"] as const;

const short = z.string().trim().min(1).max(90);

/** One line of SRDD. */
export const srddLine = z.object({
  Name: short.describe("Name of the software"),
  Description: z.string().trim().min(1).describe("What it does"),
  Category: short.describe("Kind of software"),
});
type SrddLine = z.infer<typeof srddLine>;

/** A software request. Nothing tells whether a product of it is right: such products are measured by the metrics of software. */
export function fromSrdd({ Name, Description, Category }: SrddLine): Task {
  return {
    id: `srdd/${Category}/${Name}`.replaceAll(/\s+/g, "_"),
    prompt: Description,
    output: "files",
    language: "python",
    files: [],
    tests: [],
    tags: ["srdd", "program", "python", Category.toLowerCase().replaceAll(/[\s_]+/g, "-")],
    source: "SRDD",
  };
}
