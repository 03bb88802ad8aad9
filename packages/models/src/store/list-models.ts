import { resolve } from "node:path";
import { type CatalogueModel, catalogue, defaultModelName } from "./catalogue.ts";
import { checkModelFile } from "./check-model-file.ts";
import { partBytes } from "./part-file.ts";

/** One line of `troupe models list`. */
export interface ModelListing {
  readonly name: string;
  readonly title: string;
  readonly bytes: number;
  /** Whether the store holds the file. */
  readonly present: boolean;
  /** Bytes of a broken download that a pull goes on from. */
  readonly partialBytes: number;
  /** Where the store keeps it, or would. */
  readonly path: string;
  /** SPDX identifier. */
  readonly licence: string;
  readonly isDefault: boolean;
  /** What it is good for, in one line. */
  readonly note: string;
}

/** The catalogue, and what of it the store holds; files are compared by size. A store that is not there is empty. */
export async function listModels(dir: string, signal: AbortSignal, models: readonly CatalogueModel[] = catalogue): Promise<ModelListing[]> {
  return Promise.all(
    models.map(async (model) => {
      const path = resolve(dir, model.fileName);
      return {
        name: model.name,
        title: model.title,
        bytes: model.bytes,
        present: (await checkModelFile(path, model, { signal, verify: false })) === undefined,
        partialBytes: await partBytes(path),
        path,
        licence: model.licence,
        isDefault: model.name === defaultModelName,
        note: model.note,
      };
    }),
  );
}
