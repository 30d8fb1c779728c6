// A chess board: positions, moves by mouse, finger or keyboard, arrows and numbers on it.
import { Chessground } from "@lichess-org/chessground";
import type { Api } from "@lichess-org/chessground/api";
import type { Config } from "@lichess-org/chessground/config";
import type { DrawShape } from "@lichess-org/chessground/draw";
import type { Color, Key } from "@lichess-org/chessground/types";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Legal } from "./types";

export interface Arrow {
  uci: string;
  /** Width of the arrow, from 0 to 1. */
  weight: number;
  label?: string;
  brush?: "green" | "blue" | "red" | "yellow";
}

/** A number on a square, and its colour: which side it favours. */
export interface Mark {
  square: string;
  text: string;
  good: boolean;
}

interface Properties {
  fen: string;
  orientation?: string;
  last?: string | undefined;
  check?: boolean;
  /** Legal moves; undefined if nobody may move. */
  legal?: Legal[];
  onMove?: (uci: string) => void;
  arrows?: Arrow[];
  marks?: Mark[];
  label: string;
}

function targets(legal: Legal[]): Map<Key, Key[]> {
  const map = new Map<Key, Key[]>();
  for (const { uci } of legal) {
    const from = uci.slice(0, 2) as Key;
    const list = map.get(from) ?? [];
    list.push(uci.slice(2, 4) as Key);
    map.set(from, list);
  }
  return map;
}

function shapes(arrows: Arrow[]): DrawShape[] {
  // Of two arrows in the same direction the shorter one is visible only if drawn last.
  const length = (uci: string) =>
    Math.hypot(uci.charCodeAt(0) - uci.charCodeAt(2), uci.charCodeAt(1) - uci.charCodeAt(3));
  const drawn = [...arrows].sort((one, other) => length(other.uci) - length(one.uci));
  return [
    ...drawn.map((arrow) => ({
      orig: arrow.uci.slice(0, 2) as Key,
      dest: arrow.uci.slice(2, 4) as Key,
      brush: arrow.brush ?? "green",
      modifiers: { lineWidth: 3 + 9 * arrow.weight },
      ...(arrow.label ? { label: { text: arrow.label } } : {}),
    })),
  ];
}

function config(properties: Properties, promote: (uci: string) => void): Config {
  const { fen, orientation, last, check, legal = [], onMove, arrows = [] } = properties;
  const turn: Color = fen.split(" ")[1] === "b" ? "black" : "white";
  return {
    fen,
    orientation: orientation === "black" ? "black" : "white",
    turnColor: turn,
    check: check ?? false,
    lastMove: last ? [last.slice(0, 2) as Key, last.slice(2, 4) as Key] : undefined,
    viewOnly: !onMove,
    coordinates: true,
    animation: { enabled: !matchMedia("(prefers-reduced-motion: reduce)").matches, duration: 150 },
    movable: {
      free: false,
      color: legal.length > 0 ? turn : undefined,
      dests: targets(legal),
      showDests: true,
      events: {
        after: (from, to) => {
          const all = legal.filter((move) => move.uci.startsWith(from + to));
          if (all.length > 1) promote(from + to);
          else if (all[0]) onMove?.(all[0].uci);
        },
      },
    },
    premovable: { enabled: false },
    drawable: { enabled: !!onMove, autoShapes: shapes(arrows) },
  };
}

const PROMOTIONS = [
  ["q", "Queen"],
  ["r", "Rook"],
  ["b", "Bishop"],
  ["n", "Knight"],
] as const;

export function Board(properties: Properties) {
  const holder = useRef<HTMLDivElement>(null);
  const api = useRef<Api | null>(null);
  const [promotion, setPromotion] = useState<string | null>(null);
  // Arrows cannot be placed while the board has no size yet.
  const [size, setSize] = useState(0);
  const shown = size > 0 ? properties : { ...properties, arrows: [] };
  useEffect(() => {
    const element = holder.current;
    if (!element) return;
    api.current = Chessground(element, config({ ...properties, arrows: [] }, setPromotion));
    const observer = new ResizeObserver(() => setSize(element.clientWidth));
    observer.observe(element);
    return () => {
      observer.disconnect();
      api.current?.destroy();
      api.current = null;
    };
  }, []);
  useEffect(() => {
    api.current?.set(config(shown, setPromotion));
  });
  useEffect(() => setPromotion(null), [properties.fen]);
  return (
    <div class="board">
      <div class="board-holder" ref={holder} role="img" aria-label={properties.label} data-fen={properties.fen} />
      {properties.marks && properties.marks.length > 0 && <Marks marks={properties.marks} />}
      {promotion && (
        <div class="promotion" role="group" aria-label="Promote to">
          {PROMOTIONS.map(([letter, name]) => (
            <button key={letter} type="button" onClick={() => properties.onMove?.(promotion + letter)}>
              {name}
            </button>
          ))}
        </div>
      )}
    </div>
  );
}

/** Numbers on squares, with White below. */
function Marks({ marks }: { marks: Mark[] }) {
  const place = (mark: Mark) => ({
    left: `${12.5 * (mark.square.charCodeAt(0) - 97)}%`,
    top: `${12.5 * (8 - Number(mark.square[1]))}%`,
  });
  return (
    <div class="marks" aria-hidden="true">
      {marks.map((mark) => (
        <span key={mark.square} class={mark.good ? "good" : "bad"} style={place(mark)}>
          <b>{mark.text}</b>
        </span>
      ))}
    </div>
  );
}

/** Text input for moves, for use without a mouse. */
export function MoveInput({ legal, onMove }: { legal: Legal[]; onMove: (uci: string) => void }) {
  const [text, setText] = useState("");
  const [wrong, setWrong] = useState(false);
  const plain = (san: string) => san.replace(/[+#x=]/g, "").toLowerCase();
  const submit = (event: Event) => {
    event.preventDefault();
    const said = text.trim();
    const found =
      legal.find((move) => move.san === said || move.uci === said.toLowerCase()) ??
      legal.find((move) => plain(move.san) === plain(said));
    setWrong(!found);
    if (found) {
      setText("");
      onMove(found.uci);
    }
  };
  return (
    <form class="move-input" onSubmit={submit}>
      <label>
        Type a move{" "}
        <input
          value={text}
          size={8}
          autocomplete="off"
          spellcheck={false}
          placeholder="Nf3"
          aria-invalid={wrong}
          onInput={(event) => {
            setText(event.currentTarget.value);
            setWrong(false);
          }}
        />
      </label>
      <button type="submit">Move</button>
      <span role="status">{wrong ? "That is not a legal move here." : ""}</span>
    </form>
  );
}

/** The evaluation bar, from White's point of view. */
export function EvaluationBar({ share, text }: { share: number; text: string }) {
  return (
    <div class="evaluation-bar" role="img" aria-label={`Evaluation ${text} for White`}>
      <div class="white" style={{ height: `${100 * share}%` }} />
      <span>{text}</span>
    </div>
  );
}
