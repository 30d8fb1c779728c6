// A game against any player of the folder or of the program.
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { useModels } from "../analysis";
import { get, post } from "../api";
import type { Arrow } from "../board";
import { Board, EvaluationBar, MoveInput } from "../board";
import { download } from "../download";
import { centipawnsForWhite, valueForWhite, whiteShare, whole } from "../format";
import { CopyButton, ModelPicker, Notice } from "../parts";
import { link } from "../route";
import { useAnswer } from "../store";
import type { ModelName, Position, Reply, StrengthRange } from "../types";

type Side = "white" | "black";

interface Setup {
  model: ModelName;
  kind: string;
  by: "nodes" | "time" | "elo";
  nodes: number;
  seconds: number;
  elo: number;
  side: Side;
  start: string | null;
}

/** How strong a player can be; nothing if it is not known or cannot be chosen. */
type Range = [number, number] | null;

function eloWithin(elo: number, range: Range): number {
  return range ? Math.max(range[0], Math.min(range[1], elo)) : elo;
}

function playerOf(setup: Setup, range: Range) {
  return {
    model: setup.model,
    kind: setup.kind || null,
    nodes: setup.by === "nodes" ? setup.nodes : null,
    milliseconds: setup.by === "nodes" ? null : Math.round(1000 * setup.seconds),
    elo: setup.by === "elo" ? eloWithin(setup.elo, range) : null,
    lines: null,
  };
}

export function Play({ words }: { words: Record<string, string> }) {
  const first: Setup = {
    model: words.model ? { work: words.id ?? null, file: words.model } : { work: null, file: "default" },
    kind: "",
    by: "nodes",
    nodes: 2000,
    seconds: 1,
    elo: 1500,
    side: "white",
    start: words.fen ?? null,
  };
  const [setup, setSetup] = useState<Setup>(first);
  const [game, setGame] = useState(0);
  const choices = useModels();
  const change = (part: Partial<Setup>) => setSetup({ ...setup, ...part });
  const asked = { id: setup.model.work, file: setup.model.file, kind: setup.kind };
  const key = `${asked.id} ${asked.file} ${asked.kind}`;
  const strength = useAnswer<StrengthRange>(key, (signal) => get("strength", asked, signal), key).answer;
  const range = strength?.elo ?? null;
  const isFixed = strength !== null && range === null;
  return (
    <>
      <h1 class="visually-hidden">Play</h1>
      <div class="play">
        <GameOf key={game} setup={setup} range={range} onNew={() => setGame(game + 1)} onSide={(side) => change({ side })} />
        <section class="panel setup" aria-label="Opponent">
          <h2>Opponent</h2>
          <ModelPicker choices={choices} value={setup.model} onChange={(model) => change({ model })} />
          <label class="picker">
            <span>Search</span>
            <select value={setup.kind} onChange={(event) => change({ kind: event.currentTarget.value })}>
              <option value="">by model</option>
              <option value="alphabeta">alpha-beta</option>
              <option value="mcts">tree search</option>
              <option value="sequence">policy alone</option>
            </select>
          </label>
          <fieldset>
            <legend>Strength</legend>
            {(
              [
                ["nodes", "nodes per move"],
                ["time", "seconds per move"],
                ["elo", "Elo"],
              ] as const
            ).map(([by, title]) => (
              <label key={by} class="inline">
                <input type="radio" name="strength" disabled={by === "elo" && isFixed} checked={setup.by === by} onChange={() => change({ by })} /> {title}
              </label>
            ))}
            {setup.by === "nodes" && (
              <label class="picker">
                <span>Nodes</span>
                <input type="number" min={1} max={20000000} value={setup.nodes} onInput={(event) => change({ nodes: Number(event.currentTarget.value) || 1 })} />
              </label>
            )}
            {setup.by !== "nodes" && (
              <label class="picker">
                <span>Seconds</span>
                <input type="number" min={0.05} max={30} step={0.05} value={setup.seconds} onInput={(event) => change({ seconds: Number(event.currentTarget.value) || 0.1 })} />
              </label>
            )}
            {setup.by === "elo" && (
              <label class="picker">
                <span>Elo</span>
                <input
                  type="number"
                  min={range?.[0]}
                  max={range?.[1]}
                  step={10}
                  value={setup.elo}
                  onInput={(event) => change({ elo: Number(event.currentTarget.value) || 1500 })}
                  onChange={() => change({ elo: eloWithin(setup.elo, range) })}
                />
              </label>
            )}
            {setup.by === "elo" && range && (
              <p class="hint">
                from {range[0]} to {range[1]}
              </p>
            )}
            {isFixed && <p class="hint">The strength of this player cannot be given as an Elo.</p>}
          </fieldset>
          <StartPosition start={setup.start} onSet={(start) => {
            change({ start });
            setGame(game + 1);
          }} />
          <p class="hint">Changes take effect with the next move of the opponent.</p>
        </section>
      </div>
    </>
  );
}

function StartPosition({ start, onSet }: { start: string | null; onSet: (start: string | null) => void }) {
  const [text, setText] = useState(start ?? "");
  return (
    <form
      class="start-position"
      onSubmit={(event) => {
        event.preventDefault();
        onSet(text.trim() || null);
      }}
    >
      <label class="field">
        Start from this FEN
        <input value={text} placeholder="the start position" spellcheck={false} onInput={(event) => setText(event.currentTarget.value)} />
      </label>
      <button type="submit" class="small">
        Start there
      </button>
    </form>
  );
}

function GameOf({ setup, range, onNew, onSide }: { setup: Setup; range: Range; onNew: () => void; onSide: (side: Side) => void }) {
  const seed = useMemo(() => Math.floor(Math.random() * 2 ** 31), []);
  const [moves, setMoves] = useState<string[]>([]);
  const [resigned, setResigned] = useState<Side | null>(null);
  const [position, setPosition] = useState<Position | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [thinking, setThinking] = useState(false);
  const [hint, setHint] = useState<Arrow[]>([]);
  const [bar, setBar] = useState(false);
  const [value, setValue] = useState<{ text: string; share: number } | null>(null);
  const [told, setTold] = useState("");
  const [flipped, setFlipped] = useState(false);
  const start = useRef(setup.start);
  const current = { start: start.current, moves };
  const names = { you: "You", player: `${setup.model.work ?? "tabia"} ${setup.model.file}` };
  const fail = (error: unknown) => setProblem(error instanceof Error ? error.message : String(error));

  // The position after each move comes from the server, which knows the rules.
  useEffect(() => {
    const abort = new AbortController();
    const white = setup.side === "white" ? names.you : names.player;
    const black = setup.side === "white" ? names.player : names.you;
    post<Position>("position", { game: current, white, black, resigned }, abort.signal).then(
      (next) => {
        setPosition(next);
        setProblem(null);
      },
      (error: unknown) => !abort.signal.aborted && fail(error),
    );
    return () => abort.abort();
  }, [moves, resigned, setup.side]);

  const fen = position?.fens[position.fens.length - 1];
  const isCurrent = position !== null && position.moves.length === moves.length;
  const isMine = isCurrent && position.turn === setup.side && !position.end;
  const isTheirs = isCurrent && position.turn !== setup.side && !position.end;

  // The player's turn.
  useEffect(() => {
    if (!isTheirs || !position) return;
    const abort = new AbortController();
    setThinking(true);
    post<Reply>("answer", { game: current, player: playerOf(setup, range), seed }, abort.signal).then(
      (reply) => {
        setThinking(false);
        if (!reply.uci) return;
        setTold(`${reply.san}, ${whole(reply.nodes)} nodes in ${(reply.milliseconds / 1000).toFixed(1)} s`);
        setValue({
          text: valueForWhite(reply.value, position.turn),
          share: whiteShare(centipawnsForWhite(reply.value, position.turn)),
        });
        setMoves([...moves, reply.uci]);
      },
      (error: unknown) => {
        if (abort.signal.aborted) return;
        setThinking(false);
        fail(error);
      },
    );
    return () => {
      abort.abort();
      setThinking(false);
    };
  }, [isTheirs, moves]);

  // A hint is for one position and one side, also if its answer comes late.
  const moment = useRef(0);
  useEffect(() => {
    moment.current += 1;
    setHint([]);
  }, [moves, setup.side]);

  const move = (uci: string) => {
    setMoves([...moves, uci]);
  };
  const takeBack = () => {
    if (!position) return;
    const plies = position.turn === setup.side ? 2 : 1;
    setResigned(null);
    setMoves(moves.slice(0, Math.max(0, moves.length - plies)));
  };
  const ask = () => {
    const player = { ...playerOf(setup, range), elo: null };
    const place = moment.current;
    post<Reply>("answer", { game: current, player, seed }).then((reply) => {
      if (reply.uci && place === moment.current) setHint([{ uci: reply.uci, weight: 0.8, label: reply.san ?? "", brush: "green" }]);
    }, fail);
  };
  const end = position?.end;
  return (
    <section class="panel game" aria-label="Game">
      <div class="board-row">
        {bar && value && <EvaluationBar share={value.share} text={value.text} />}
        {fen ? (
          <Board
            fen={fen}
            orientation={(setup.side === "black") !== flipped ? "black" : "white"}
            last={moves[moves.length - 1]}
            check={position?.check ?? false}
            legal={isMine ? position.legal : []}
            onMove={move}
            arrows={hint}
            label={`Your game. ${position?.turn} to move. ${fen}`}
          />
        ) : (
          <div class="board" />
        )}
      </div>
      <p class="game-status" role="status" data-state={end ? "over" : thinking ? "thinking" : isMine ? "yours" : "waiting"}>
        {end ? (
          <strong>
            {end.result}: {end.words}
          </strong>
        ) : thinking ? (
          "Thinking …"
        ) : isMine ? (
          `Your move. ${told}`
        ) : (
          ""
        )}
      </p>
      <Notice problem={problem} />
      {isMine && position && <MoveInput legal={position.legal} onMove={move} />}
      <div class="buttons">
        <button type="button" class="primary" onClick={onNew}>
          New game
        </button>
        <button type="button" onClick={() => onSide(setup.side === "white" ? "black" : "white")}>
          Play {setup.side === "white" ? "Black" : "White"}
        </button>
        <button type="button" disabled={moves.length === 0} onClick={takeBack}>
          Take back
        </button>
        <button type="button" disabled={!isMine} onClick={ask}>
          Hint
        </button>
        <button type="button" onClick={() => setFlipped(!flipped)}>
          Flip
        </button>
        <button type="button" disabled={!isCurrent || !!end} onClick={() => setResigned(setup.side)}>
          Resign
        </button>
        <label class="inline">
          <input type="checkbox" checked={bar} onChange={(event) => setBar(event.currentTarget.checked)} /> evaluation bar
        </label>
      </div>
      {position && position.sans.length > 0 && <Score position={position} />}
      {position && fen && (
        <div class="buttons">
          <CopyButton text={fen}>Copy FEN</CopyButton>
          <CopyButton text={position.pgn}>Copy PGN</CopyButton>
          <button type="button" class="small" onClick={() => download("game.pgn", "application/x-chess-pgn", position.pgn)}>
            Download PGN
          </button>
          <a class="button small" href={link("inside", { fen })}>
            Model evaluation
          </a>
        </div>
      )}
      {end && position && (
        <details open>
          <summary>PGN</summary>
          <pre class="pgn" tabIndex={0}>
            {position.pgn}
          </pre>
        </details>
      )}
    </section>
  );
}

function Score({ position }: { position: Position }) {
  const blackBegins = position.fens[0]?.split(" ")[1] === "b" ? 1 : 0;
  const first = Number(position.fens[0]?.split(" ")[5] ?? 1);
  return (
    <p class="score">
      {position.sans.map((san, at) => {
        const isWhite = (at + blackBegins) % 2 === 0;
        const number = first + Math.floor((at + blackBegins) / 2);
        return (
          <span key={at}>
            {(isWhite || at === 0) && <span class="number">{`${number}${isWhite ? "." : "…"} `}</span>}
            {san}{" "}
          </span>
        );
      })}
    </p>
  );
}
