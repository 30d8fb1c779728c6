// A chart with bands, zoom, exact figures under the pointer, and downloads.
import { useEffect, useRef, useState } from "preact/hooks";
import uPlot from "uplot";
import { download } from "./download";
import { figures, percent } from "./format";
import { svgOf } from "./svg";

export interface ChartLine {
  name: string;
  x: number[];
  y: (number | null)[];
  low?: (number | null)[];
  high?: (number | null)[];
  /** Drawn faintly behind the others. */
  faint?: boolean;
  /** Index of its colour; default: its position in the list. */
  colour?: number;
}

export interface ChartData {
  title: string;
  along: string;
  share?: boolean;
  lines: ChartLine[];
  /** Horizontal dashed lines, such as the bounds of a test. */
  bounds?: { value: number; name: string }[];
  /** The visible part of the horizontal axis. */
  range?: [number, number] | null;
}

/** Colours that most people can tell apart, on light and dark backgrounds. */
const LIGHT = ["#0b63a5", "#b8460e", "#00735a", "#8a3d84", "#6b5900", "#b01f4c", "#3f5bc4", "#4d4d4d"];
const DARK = ["#62b3f0", "#f59a5c", "#4fc9a4", "#dc94d4", "#e0c94b", "#f58ba6", "#9aaeff", "#c9c9c9"];

export function palette(): string[] {
  return document.documentElement.dataset.theme === "dark" ? DARK : LIGHT;
}

export function colourOf(line: ChartLine, at: number): string {
  const colours = palette();
  return colours[(line.colour ?? at) % colours.length] ?? "#888";
}

/** Puts all lines on one axis; points that a line does not have are left empty. */
function aligned(data: ChartData): uPlot.AlignedData {
  const all = new Set<number>();
  for (const line of data.lines) for (const x of line.x) all.add(x);
  const xs = [...all].sort((one, other) => one - other);
  const places = new Map(xs.map((x, at) => [x, at]));
  const columns: (number | null | undefined)[][] = [];
  const column = (line: ChartLine, values: (number | null)[]) => {
    const filled = new Array<number | null | undefined>(xs.length).fill(undefined);
    line.x.forEach((x, at) => {
      filled[places.get(x) ?? 0] = values[at] ?? null;
    });
    return filled;
  };
  for (const line of data.lines) {
    columns.push(column(line, line.y));
    columns.push(column(line, line.low ?? line.y), column(line, line.high ?? line.y));
  }
  return [xs, ...columns] as uPlot.AlignedData;
}

/** A number at the side of a chart. */
function tickText(tick: number, share: boolean | undefined): string {
  if (share) return percent(tick);
  return Math.abs(tick) >= 10_000 ? `${Number((tick / 1000).toPrecision(6))}k` : String(Number(tick.toPrecision(6)));
}

/** As wide as the longest number at the side needs it. */
const sideWidth: uPlot.Axis.Size = (_, values) => {
  const longest = Math.max(3, ...(values ?? []).map((text) => String(text ?? "").length));
  return 20 + Math.ceil(7.2 * longest);
};

function faded(colour: string, share: string): string {
  return colour + share;
}

function options(data: ChartData, width: number, height: number, zoom: Zoom): uPlot.Options {
  const style = getComputedStyle(document.documentElement);
  const ink = style.getPropertyValue("--muted").trim();
  const grid = style.getPropertyValue("--line").trim();
  const shown = (value: number | null | undefined) =>
    value === null || value === undefined ? "–" : data.share ? percent(value, 1) : figures(value);
  const series: uPlot.Series[] = [{ label: data.along, value: (_, x) => (x === null ? "–" : figures(x).replace(/\.0+$/, "")) }];
  const bands: uPlot.Band[] = [];
  data.lines.forEach((line, at) => {
    const colour = colourOf(line, at);
    const first = series.length;
    series.push({
      label: line.name,
      stroke: line.faint ? faded(colour, "70") : colour,
      width: line.faint ? 1 : 2,
      spanGaps: true,
      points: { show: line.x.length < 40 && !line.faint, size: 6, fill: colour },
      value: (chart, value, _, index) => {
        if (index === null || value === null || value === undefined) return "–";
        const low = chart.data[first + 1]?.[index];
        const high = chart.data[first + 2]?.[index];
        const wide = line.low && low !== value;
        return wide ? `${shown(value)} [${shown(low)}, ${shown(high)}]` : shown(value);
      },
    });
    const hidden = { show: true, width: 0, points: { show: false }, spanGaps: true, label: "" };
    series.push({ ...hidden, class: "hidden" } as uPlot.Series, { ...hidden, class: "hidden" } as uPlot.Series);
    if (line.low && line.high) {
      bands.push({ series: [first + 2, first + 1], fill: faded(colour, line.faint ? "0c" : "24") });
    }
  });
  const axis = { stroke: ink, grid: { stroke: grid, width: 1 }, ticks: { stroke: grid, width: 1 }, font: "12px system-ui, sans-serif" };
  return {
    width,
    height,
    scales: {
      x: { time: false, range: data.range ? () => data.range as [number, number] : (_, least, most) => (least === most ? [least - 1, most + 1] : [least, most]) },
      y: {
        range: (_, least, most) => {
          const bounds = (data.bounds ?? []).map((bound) => bound.value);
          const low = Math.min(least ?? 0, ...bounds);
          const high = Math.max(most ?? 1, ...bounds);
          const room = (high - low || Math.abs(high) || 1) * 0.06;
          return [low - room, high + room];
        },
      },
    },
    axes: [
      { ...axis, label: data.along, labelSize: 18, labelFont: "12px system-ui, sans-serif", size: 34, incrs: data.along === "generation" || data.along === "epoch" ? [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000] : undefined },
      { ...axis, size: sideWidth, values: (_, ticks) => ticks.map((tick) => tickText(tick, data.share)) },
    ],
    series,
    bands,
    legend: { live: true },
    cursor: { drag: { x: true, y: false, setScale: false }, focus: { prox: 24 } },
    hooks: {
      draw: [
        (chart) => {
          const { ctx, bbox } = chart;
          for (const bound of data.bounds ?? []) {
            const y = chart.valToPos(bound.value, "y", true);
            ctx.save();
            ctx.strokeStyle = ink;
            ctx.setLineDash([6, 5]);
            ctx.beginPath();
            ctx.moveTo(bbox.left, y);
            ctx.lineTo(bbox.left + bbox.width, y);
            ctx.stroke();
            ctx.fillStyle = ink;
            ctx.font = `${12 * devicePixelRatio}px system-ui, sans-serif`;
            ctx.fillText(bound.name, bbox.left + 6, y - 5 * devicePixelRatio);
            ctx.restore();
          }
        },
      ],
      setSelect: [
        (chart) => {
          if (chart.select.width < 4) return;
          const from = chart.posToVal(chart.select.left, "x");
          const to = chart.posToVal(chart.select.left + chart.select.width, "x");
          chart.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
          zoom([from, to]);
        },
      ],
    },
  };
}

type Zoom = (range: [number, number] | null) => void;

export function csvOf(data: ChartData): string {
  const quoted = (text: string) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const rows = [`line,${quoted(data.along)},value,low,high`];
  for (const line of data.lines) {
    line.x.forEach((x, at) => {
      const cells = [line.y[at], (line.low ?? line.y)[at], (line.high ?? line.y)[at]];
      rows.push([quoted(line.name), x, ...cells.map((cell) => cell ?? "")].join(","));
    });
  }
  return rows.join("\n") + "\n";
}

/** Draws a chart; `onZoom` is called with the part that the user zooms into. */
export function Chart({ data, height = 260, onZoom }: { data: ChartData; height?: number; onZoom?: Zoom }) {
  const holder = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  const [theme, setTheme] = useState(0);
  useEffect(() => {
    const element = holder.current;
    if (!element) return;
    const observer = new ResizeObserver(() => setWidth(Math.floor(element.clientWidth)));
    observer.observe(element);
    const recolour = () => setTheme((count) => count + 1);
    addEventListener("themechange", recolour);
    return () => {
      observer.disconnect();
      removeEventListener("themechange", recolour);
    };
  }, []);
  useEffect(() => {
    const element = holder.current;
    if (!element || width < 50) return;
    const zoom: Zoom = (range) => onZoom?.(range);
    const chart = new uPlot(options(data, width, height, zoom), aligned(data), element);
    // A long legend scrolls, also by keyboard.
    chart.root.querySelector(".u-legend")?.setAttribute("tabindex", "0");
    return () => chart.destroy();
  }, [data, width, height, theme]);
  const points = data.lines.reduce((sum, line) => sum + line.x.length, 0);
  const name = data.title.toLowerCase().replace(/[^a-z0-9]+/g, "-");
  return (
    <figure class="chart" data-points={points}>
      <figcaption>
        <span>{data.title}</span>
        <span class="tools">
          {data.range && onZoom && (
            <button type="button" class="small" onClick={() => onZoom(null)}>
              Show all
            </button>
          )}
          <button type="button" class="small" onClick={() => download(`${name}.svg`, "image/svg+xml", svgOf(data))}>
            SVG
          </button>
          <button type="button" class="small" onClick={() => download(`${name}.csv`, "text/csv", csvOf(data))}>
            CSV
          </button>
        </span>
      </figcaption>
      <div
        class="plot"
        ref={holder}
        role="img"
        aria-label={`${data.title}: ${data.lines.map((line) => line.name).join(", ") || "nothing yet"}`}
        onDblClick={() => onZoom?.(null)}
      />
      {points === 0 && <p class="empty">No data yet.</p>}
    </figure>
  );
}
