// Weights as boards of colours: blue is more, orange less, than the mean of a board.
import { figures } from "./format";
import type { Drawn } from "./types";

/** Width of a cell in pixels. */
const CELL = 20;

/** Formats a number to fit into a cell. */
function short(value: number, largest: number): string {
  const digits = largest >= 10 ? 0 : largest >= 1 ? 1 : 2;
  // No minus sign before a zero.
  const text = value.toFixed(digits).replace(/^-(?=[0.]+$)/, "");
  return digits === 2 ? text.replace("0.", ".") : text;
}

export function HeatMaps({ boards }: { boards: Drawn[] }) {
  const columns = boards[0]?.columns ?? 8;
  const kind = columns < 8 ? "kernels" : columns > 8 ? "strips" : "";
  return (
    <div class={`heat-maps ${kind}`}>
      {boards.map((board) => (
        <HeatMap key={board.title} board={board} />
      ))}
    </div>
  );
}

function HeatMap({ board }: { board: Drawn }) {
  const { columns } = board;
  const numbers = board.numbers.filter((value): value is number => value !== null);
  const sum = numbers.reduce((total, value) => total + value, 0);
  const mean = sum / Math.max(1, numbers.length);
  const largest = Math.max(1e-9, ...numbers.map((value) => Math.abs(value - mean)));
  const size = Math.max(0, ...numbers.map(Math.abs));
  const rows = Math.ceil(board.numbers.length / columns);
  return (
    <figure class="heat">
      <figcaption>{board.title}</figcaption>
      <svg viewBox={`0 0 ${columns * CELL} ${rows * CELL}`} role="img" aria-label={`${board.title}: mean ${figures(mean)}`} data-sum={sum}>
        {board.numbers.map((value, at) => {
          const x = (at % columns) * CELL;
          const y = (rows - 1 - Math.floor(at / columns)) * CELL;
          if (value === null) return <rect key={at} x={x} y={y} width={CELL} height={CELL} class="none" />;
          const share = (value - mean) / largest;
          return (
            <g key={at}>
              <title>{figures(value)}</title>
              <rect x={x} y={y} width={CELL} height={CELL} class={share >= 0 ? "more" : "less"} fill-opacity={0.08 + 0.92 * Math.abs(share)} />
              {columns <= 8 && (
                <text x={x + CELL / 2} y={y + 13} class={Math.abs(share) > 0.55 ? "strong" : ""}>
                  {short(value, size)}
                </text>
              )}
            </g>
          );
        })}
      </svg>
    </figure>
  );
}
