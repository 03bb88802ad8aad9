import type { Usage } from "@troupe/schema";

/** A count, short: 950, 12.3k, 20k, 4.56M. */
export function count(value: number): string {
  if (value < 1000) return String(Math.round(value));
  if (value < 999_500) return `${short(value / 1000, value < 99_950 ? 1 : 0)}k`;
  return `${short(value / 1_000_000, 2)}M`;
}

const short = (value: number, digits: number): string => String(Number(value.toFixed(digits)));

/** A time: 4.2 s, 59 s, 2:05, 1:02:05. */
export function duration(seconds: number): string {
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  const two = (value: number) => String(value).padStart(2, "0");
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return `${minutes}:${two(whole % 60)}`;
  return `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${two(whole % 60)}`;
}

/** An amount of money: $0.0123, $1.50. */
export function money(usd: number): string {
  if (usd === 0) return "$0";
  if (usd < 0.0001) return "<$0.0001";
  return `$${usd.toFixed(usd < 0.1 ? 4 : 2)}`;
}

/** A size: 800 bytes, 12.3 kB. */
export function size(bytes: number): string {
  if (bytes < 1000) return `${bytes} ${bytes === 1 ? "byte" : "bytes"}`;
  return bytes < 1_000_000 ? `${(bytes / 1000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** A number with its noun: 1 file, 2 files. */
export function plural(value: number, noun: string): string {
  return `${count(value)} ${noun}${value === 1 ? "" : "s"}`;
}

/** Prompt and generated tokens together. */
export function tokensOf({ inputTokens, outputTokens }: Pick<Usage, "inputTokens" | "outputTokens">): number {
  return inputTokens + outputTokens;
}

/** A moment in the time zone of the machine: 2026-03-01 14:05. */
export function moment(at: number): string {
  const date = new Date(at - new Date(at).getTimezoneOffset() * 60_000);
  return date.toISOString().slice(0, 16).replace("T", " ");
}
