import { workspace } from "./tree.ts";

export const sep = "/";
export const delimiter = ":";

/** Takes `.` and `..` out of a path. */
export function normalize(path: string): string {
  const absolute = path.startsWith("/");
  const parts: string[] = [];
  for (const part of path.split("/")) {
    if (part === "" || part === ".") continue;
    if (part !== "..") parts.push(part);
    else if (parts.length > 0 && parts.at(-1) !== "..") parts.pop();
    else if (!absolute) parts.push("..");
  }
  return (absolute ? "/" : "") + parts.join("/") || (absolute ? "/" : ".");
}

export function join(...parts: string[]): string {
  return normalize(parts.filter((part) => part !== "").join("/") || ".");
}

export function resolve(...parts: string[]): string {
  let path = "";
  for (const part of [workspace, ...parts]) path = part.startsWith("/") ? part : `${path}/${part}`;
  return normalize(path);
}

export function dirname(path: string): string {
  const trimmed = path.replace(/(.)\/+$/, "$1");
  const cut = trimmed.lastIndexOf("/");
  if (cut < 0) return ".";
  return cut === 0 ? "/" : trimmed.slice(0, cut);
}

export function basename(path: string, ending = ""): string {
  const name = path.replace(/\/+$/, "").split("/").at(-1) ?? "";
  return ending !== "" && name !== ending && name.endsWith(ending) ? name.slice(0, -ending.length) : name;
}

export function extname(path: string): string {
  return /^.+(\.[^.]*)$/.exec(basename(path))?.[1] ?? "";
}

export function isAbsolute(path: string): boolean {
  return path.startsWith("/");
}

export function relative(from: string, to: string): string {
  const start = resolve(from).split("/").filter(Boolean);
  const end = resolve(to).split("/").filter(Boolean);
  let common = 0;
  while (common < start.length && common < end.length && start[common] === end[common]) common += 1;
  return [...start.slice(common).map(() => ".."), ...end.slice(common)].join("/");
}

export function parse(path: string): { root: string; dir: string; base: string; ext: string; name: string } {
  const [base, ext] = [basename(path), extname(path)];
  return { root: isAbsolute(path) ? "/" : "", dir: dirname(path), base, ext, name: basename(path, ext) };
}
