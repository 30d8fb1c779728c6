// A chart as a picture for papers: the same lines and bands as vectors.
import type { ChartData, ChartLine } from "./chart";

const WIDTH = 720;
const PLOT = 270;
const LEFT = 70;
const RIGHT = 20;
const TOP = 40;
/** Without the legend. */
const BOTTOM = 58;
const COLUMNS = 3;
const ROW = 16;
const COLOURS = ["#0b63a5", "#b8460e", "#00735a", "#8a3d84", "#6b5900", "#b01f4c", "#3f5bc4", "#4d4d4d"];

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}

function ticks(low: number, high: number, count: number): number[] {
  const rough = (high - low) / count || 1;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= rough) ?? rough;
  const all: number[] = [];
  for (let tick = Math.ceil(low / step) * step; tick <= high + step * 1e-9; tick += step) {
    all.push(Number(tick.toPrecision(10)));
  }
  return all;
}

function range(values: (number | null | undefined)[]): [number, number] {
  const finite = values.filter((value): value is number => typeof value === "number");
  if (finite.length === 0) return [0, 1];
  let low = finite[0] as number;
  let high = low;
  for (const value of finite) {
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  return low === high ? [low - 1, high + 1] : [low, high];
}

export function svgOf(data: ChartData): string {
  const legend = ROW * Math.ceil(data.lines.length / COLUMNS);
  const floor = TOP + PLOT;
  const height = floor + BOTTOM + legend;
  const bounds = (data.bounds ?? []).map((bound) => bound.value);
  const [left, right] = data.range ?? range(data.lines.flatMap((line) => line.x));
  const [low, high] = range([...data.lines.flatMap((line) => [...line.y, ...(line.low ?? []), ...(line.high ?? [])]), ...bounds]);
  const x = (value: number) => LEFT + ((value - left) / (right - left)) * (WIDTH - LEFT - RIGHT);
  const y = (value: number) => floor - ((value - low) / (high - low)) * PLOT;
  const point = (line: ChartLine, values: (number | null)[], at: number) => {
    const value = values[at];
    return typeof value === "number" ? `${x(line.x[at] ?? 0).toFixed(1)},${y(value).toFixed(1)}` : null;
  };
  const path = (line: ChartLine, values: (number | null)[]) =>
    line.x.map((_, at) => point(line, values, at)).filter((text) => text !== null);
  const parts: string[] = [];
  for (const tick of ticks(low, high, 6)) {
    parts.push(`<line x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${y(tick)}" y2="${y(tick)}" stroke="#ddd"/>`);
    parts.push(`<text x="${LEFT - 8}" y="${y(tick) + 4}" text-anchor="end">${data.share ? `${Math.round(tick * 100)} %` : tick}</text>`);
  }
  for (const tick of ticks(left, right, 8)) {
    parts.push(`<text x="${x(tick)}" y="${floor + 18}" text-anchor="middle">${tick}</text>`);
  }
  for (const bound of data.bounds ?? []) {
    parts.push(`<line x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${y(bound.value)}" y2="${y(bound.value)}" stroke="#555" stroke-dasharray="6 5"/>`);
  }
  data.lines.forEach((line, at) => {
    const colour = COLOURS[(line.colour ?? at) % COLOURS.length];
    if (line.low && line.high) {
      const around = [...path(line, line.low), ...path(line, line.high).reverse()];
      parts.push(`<polygon points="${around.join(" ")}" fill="${colour}" opacity="0.15"/>`);
    }
    parts.push(`<polyline points="${path(line, line.y).join(" ")}" fill="none" stroke="${colour}" stroke-width="${line.faint ? 1 : 2}" opacity="${line.faint ? 0.4 : 1}"/>`);
    const [column, row] = [at % COLUMNS, Math.floor(at / COLUMNS)];
    const [legendX, legendY] = [LEFT + column * 210, floor + 56 + row * ROW];
    parts.push(`<rect x="${legendX}" y="${legendY - 9}" width="10" height="10" fill="${colour}"/>`);
    parts.push(`<text x="${legendX + 15}" y="${legendY}">${escaped(line.name)}</text>`);
  });
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" font-family="sans-serif" font-size="12">\n` +
    `<rect width="${WIDTH}" height="${height}" fill="#fff"/>\n<text x="${LEFT}" y="24" font-size="15">${escaped(data.title)}</text>\n` +
    `${parts.join("\n")}\n<text x="${(LEFT + WIDTH - RIGHT) / 2}" y="${floor + 36}" text-anchor="middle">${escaped(data.along)}</text>\n</svg>\n`
  );
}
