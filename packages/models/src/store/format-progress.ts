import type { PullProgress } from "./pull-progress.ts";

const phaseWords: Readonly<Record<PullProgress["phase"], string>> = {
  waiting: "another process is fetching it; waiting",
  checking: "checking",
  connecting: "connecting",
  downloading: "",
};

/**
 * The state of a pull as one line with a bar, percent, megabytes, speed and remaining time.
 *
 * @param width columns; parts that don't fit are left out, the bar takes what is left.
 * @example
 * formatProgress(progress, 80); // "hub ██████████████░░░░░░░░░░░░░░░░░░  45 %   503/1117 MB   32.1 MB/s   0:20 left"
 */
export function formatProgress(progress: PullProgress, width: number): string {
  const { source, phase, bytes, total, bytesPerSecond, detail } = progress;
  const share = total > 0 ? Math.min(bytes / total, 1) : 0;
  const megabytes = `${Math.round(bytes / 1e6)}/${Math.round(total / 1e6)} MB`.padStart(2 * String(Math.round(total / 1e6)).length + 4);
  const speed = bytesPerSecond ? `${(bytesPerSecond / 1e6).toFixed(1).padStart(5)} MB/s` : "";
  const left = bytesPerSecond ? `${formatSeconds((total - bytes) / bytesPerSecond).padStart(5)} left` : "";
  const facts = [`${String(Math.floor(share * 100)).padStart(3)} %`, megabytes, speed, left, phaseWords[phase], detail ?? ""];
  const room = width - source.length - 1;
  let text = "";
  for (const fact of facts.filter(Boolean)) {
    if (text.length + fact.length + 2 > room) break;
    text += text ? `  ${fact}` : fact;
  }
  const cells = Math.min(room - text.length - 1, 40);
  const bar = cells >= 5 ? `${"█".repeat(Math.round(share * cells)).padEnd(cells, "░")} ` : "";
  return `${source} ${bar}${text}`.slice(0, Math.max(width, 0));
}

function formatSeconds(seconds: number): string {
  const whole = Math.max(0, Math.ceil(seconds));
  const two = (value: number) => String(value).padStart(2, "0");
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  return hours > 0 ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`;
}
