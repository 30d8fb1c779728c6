// Numbers, times and sizes as people read them.
import type { Interval, Value } from "./types";

export function whole(number: number): string {
  return Math.round(number).toLocaleString("en-US");
}

/** Such as `1 unit` or `2,000 units`. */
export function counted(number: number, thing: string): string {
  return `${whole(number)} ${thing}${Math.round(number) === 1 ? "" : "s"}`;
}

export function signed(number: number | null | undefined, digits = 0): string {
  if (number === null || number === undefined) return "∞";
  const text = Math.abs(number).toFixed(digits);
  if (Number(text) === 0) return text;
  return (number < 0 ? "−" : "+") + text;
}

/** An Elo with its interval, such as `+38 [+9, +68]`. */
export function elo(interval: Interval | null | undefined): string {
  if (!interval) return "–";
  const { value, lower, upper } = interval;
  if (value === null && lower === null && upper === null) return "–";
  const low = lower === null ? "−∞" : signed(lower);
  const high = upper === null ? "+∞" : signed(upper);
  const middle = value === null ? (lower === null ? "−∞" : "+∞") : signed(value);
  return `${middle} [${low}, ${high}]`;
}

export function figures(number: number): string {
  if (!Number.isFinite(number)) return "–";
  const size = Math.abs(number);
  if (size !== 0 && size < 0.001) return number.toExponential(2);
  if (size >= 10_000) return whole(number);
  if (size >= 100) return number.toFixed(1);
  if (size >= 1) return number.toFixed(2);
  return number.toFixed(4);
}

/** A loss: always with as many decimals, so that columns can be compared. */
export function loss(number: number | null | undefined): string {
  return typeof number === "number" && Number.isFinite(number) ? number.toFixed(6) : "–";
}

/** A probability under a hypothesis, which is never exactly 0. */
export function probability(number: number): string {
  return number < 0.0001 ? "< 0.0001" : number.toFixed(4);
}

export function percent(share: number, digits = 0): string {
  return `${(100 * share).toFixed(digits)} %`;
}

export function bytes(count: number): string {
  const units = ["B", "kB", "MB", "GB", "TB"];
  let unit = 0;
  let size = count;
  while (size >= 1000 && unit < units.length - 1) {
    size /= 1000;
    unit += 1;
  }
  return `${size < 10 && unit > 0 ? size.toFixed(1) : Math.round(size)} ${units[unit]}`;
}

export function duration(seconds: number | null): string {
  if (seconds === null) return "unknown";
  const rounded = Math.round(seconds);
  const hours = Math.floor(rounded / 3600);
  const minutes = Math.floor(rounded / 60) % 60;
  if (hours >= 48) return `${(hours / 24).toFixed(1)} days`;
  if (hours > 0) return `${hours} h ${minutes} min`;
  if (minutes > 0) return `${minutes} min ${rounded % 60} s`;
  return `${rounded} s`;
}

export function ago(milliseconds: number): string {
  const seconds = Math.max(0, (Date.now() - milliseconds) / 1000);
  if (seconds < 10) return "now";
  if (seconds < 60) return `${Math.round(seconds)} s ago`;
  if (seconds < 3600) return `${Math.round(seconds / 60)} min ago`;
  if (seconds < 86400 * 2) return `${Math.round(seconds / 3600)} h ago`;
  return `${Math.round(seconds / 86400)} days ago`;
}

/** A value for White, such as `+0.31` or `#3`; `turn` is the side whose point of view `value` has. */
export function valueForWhite(value: Value, turn: string): string {
  const sign = turn === "white" ? 1 : -1;
  if (value.mate !== null) return `#${sign * value.mate}`;
  return signed((sign * (value.centipawns ?? 0)) / 100, 2);
}

/** Centipawns from White's point of view; mates exceed every other value. */
export function centipawnsForWhite(value: Value, turn: string): number {
  const sign = turn === "white" ? 1 : -1;
  if (value.mate !== null) return sign * (value.mate > 0 ? 10_000 : -10_000);
  return sign * (value.centipawns ?? 0);
}

/** White's share of the evaluation bar. */
export function whiteShare(centipawns: number): number {
  return 1 / (1 + Math.exp(-centipawns / 220));
}

/** The last part of a path without its ending. */
export function shortFile(file: string): string {
  return file.replace(/\/journal\.jsonl$/, "").replace(/\.(tabianet|nnue|ntuple|weights|binpack|policy)$/, "");
}
