// A live analysis of a position: lines, arrows, visits.
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { get, listen, post } from "./api";
import type { Arrow } from "./board";
import { duration, percent, signed, valueForWhite, whole } from "./format";
import { ModelPicker, Notice } from "./parts";
import { useAnswer } from "./store";
import type { Choice, ModelName, Moves, SearchUpdate } from "./types";

export function useModels(): Choice[] {
  return useAnswer<Choice[]>("models", (signal) => get("models", {}, signal)).answer ?? [];
}

export interface Thinking {
  thought: SearchUpdate | null;
  running: boolean;
  problem: string | null;
  start: (game: Moves, model: ModelName, kind: string | null, milliseconds: number, lines: number, nodes?: number) => void;
  stop: () => void;
}

/** Runs one analysis at a time; a new one cancels the previous one. */
export function useThinking(): Thinking {
  const job = useMemo(() => `job-${Math.random().toString(36).slice(2, 12)}`, []);
  const [thought, setThought] = useState<SearchUpdate | null>(null);
  const [running, setRunning] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const wanted = useRef<string>("");
  useEffect(() => {
    const end = listen((news) => {
      if (news.news !== "thought" || news.thought.job !== wanted.current) return;
      setThought(news.thought);
      setProblem(news.thought.problem);
      if (news.thought.done) setRunning(false);
    });
    return () => {
      end();
      if (wanted.current) void post("analyse/stop", { job: wanted.current }).catch(() => undefined);
    };
  }, []);
  const count = useRef(0);
  return {
    thought,
    running,
    problem,
    start: (game, model, kind, milliseconds, lines, nodes) => {
      count.current += 1;
      if (wanted.current) void post("analyse/stop", { job: wanted.current }).catch(() => undefined);
      wanted.current = `${job}-${count.current}`;
      setThought(null);
      setRunning(true);
      setProblem(null);
      const player = { model, kind, nodes: nodes ?? null, milliseconds, elo: null, lines };
      post("analyse", { job: wanted.current, game, player }).catch((error: unknown) => {
        setRunning(false);
        setProblem(error instanceof Error ? error.message : String(error));
      });
    },
    stop: () => void post("analyse/stop", { job: wanted.current }).catch(() => undefined),
  };
}

export function arrowsOf(thought: SearchUpdate | null, fen: string): Arrow[] {
  if (!thought || thought.fen !== fen) return [];
  const visits = thought.tried.reduce((sum, tried) => sum + tried.visits, 0);
  if (visits > 0) {
    return thought.tried.slice(0, 5).map((tried) => ({
      uci: tried.uci,
      weight: tried.visits / visits,
      label: percent(tried.visits / visits),
      brush: "blue" as const,
    }));
  }
  return thought.variations.flatMap((line) =>
    line.first ? [{ uci: line.first, weight: 1 / line.rank, brush: line.rank === 1 ? ("green" as const) : ("blue" as const) }] : [],
  );
}

/** The principal variations as text. */
export function Lines({ thought }: { thought: SearchUpdate }) {
  const turn = thought.fen.split(" ")[1] === "b" ? "black" : "white";
  return (
    <div class="thought" aria-live="polite">
      <p class="hint">
        depth {thought.depth} · {whole(thought.nodes)} nodes · {duration(thought.milliseconds / 1000)}
      </p>
      <ol class="lines">
        {thought.variations.map((line) => (
          <li key={line.rank}>
            <strong class="number">{valueForWhite(line.value, turn)}</strong> {line.sans.join(" ")}
          </li>
        ))}
      </ol>
      {thought.tried.length > 0 && <Visits thought={thought} />}
    </div>
  );
}

function Visits({ thought }: { thought: SearchUpdate }) {
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label="Moves of the tree search">
      <table class="visits">
        <thead>
          <tr>
            <th scope="col">Move</th>
            <th scope="col" class="number">
              <abbr title="visits">N</abbr>
            </th>
            <th scope="col" class="number">
              <abbr title="prior: share before the search">P</abbr>
            </th>
            <th scope="col" class="number">
              <abbr title="value for the side to move, from -1 to 1">Q</abbr>
            </th>
          </tr>
        </thead>
        <tbody>
          {thought.tried.slice(0, 12).map((tried) => (
            <tr key={tried.uci}>
              <td>{tried.san}</td>
              <td class="number">{whole(tried.visits)}</td>
              <td class="number">{tried.prior === null ? "–" : percent(tried.prior, 1)}</td>
              <td class="number">{tried.value === null ? "–" : signed(tried.value, 3)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Chooses a player and analyses a position with it. */
export function AnalysisPanel({
  game,
  fen,
  choices,
  first,
  onArrows,
}: {
  game: Moves;
  fen: string;
  choices: Choice[];
  first?: ModelName;
  onArrows: (arrows: Arrow[]) => void;
}) {
  const [model, setModel] = useState<ModelName>(first ?? { work: null, file: "default" });
  const [seconds, setSeconds] = useState(5);
  const thinking = useThinking();
  const { thought } = thinking;
  useEffect(() => onArrows(arrowsOf(thought, fen)), [thought, fen]);
  return (
    <section class="panel analysis" aria-label="Analysis">
      <div class="bar">
        <h2>Analyse</h2>
        <ModelPicker choices={choices} value={model} onChange={setModel} label="With" />
        <label class="picker">
          <span>Seconds</span>
          <input type="number" min={1} max={30} value={seconds} onInput={(event) => setSeconds(Number(event.currentTarget.value))} />
        </label>
        {thinking.running ? (
          <button type="button" onClick={thinking.stop}>
            Stop
          </button>
        ) : (
          <button type="button" onClick={() => thinking.start(game, model, null, 1000 * seconds, 3)}>
            Analyse
          </button>
        )}
      </div>
      <Notice problem={thinking.problem} />
      {thought && thought.fen === fen && <Lines thought={thought} />}
    </section>
  );
}
