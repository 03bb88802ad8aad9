import type { Sandbox } from "@troupe/schema";
import type { Colors } from "./colors.ts";

/** Which sandbox runs model-written code, loudly when it is not a boundary of the operating system. */
export function sandboxWords({ name, strength }: Pick<Sandbox, "name" | "strength">, colors: Colors): string {
  switch (strength) {
    case "os":
      return name;
    case "wasm":
      return colors.yellow(
        `${name}: the weaker sandbox, no boundary of the operating system. \`troupe doctor\` says what a better one needs.`,
      );
    case "none":
      return colors.red(`${name}: model-written code runs on this machine without any protection.`);
  }
}
