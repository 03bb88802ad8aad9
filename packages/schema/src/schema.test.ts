import { expect, it } from "vitest";
import { publicSchemas, toJsonSchema, type SchemaName } from "./index.ts";

it.each(Object.keys(publicSchemas) as SchemaName[])("toJsonSchema() gives %s as an object with a description", (name) => {
  const schema = toJsonSchema(name);
  expect(schema["title"]).toBe(`Troupe ${name}`);
  expect(schema["description"]).toEqual(expect.any(String));
});
