// Games of matches and of self-play: search, replay, analysis.
import { useEffect, useMemo, useState } from "preact/hooks";
import { AnalysisPanel, useModels } from "../analysis";
import { get } from "../api";
import type { Arrow } from "../board";
import { Board } from "../board";
import { Chart } from "../chart";
import { centipawnsForWhite, shortFile, valueForWhite, whole } from "../format";
import { CopyButton, Notice, useWork, WorkPicker } from "../parts";
import { link, replace } from "../route";
import { useAnswer, useKnown } from "../store";
import type { Detail, GameList, ListedGame, ShownGame } from "../types";

interface Filter {
  result: string;
  least: string;
  most: string;
  opening: string;
  ending: string;
}

const NO_FILTER: Filter = { result: "", least: "", most: "", opening: "", ending: "" };
const PAGE = 50;

export function Games({ words }: { words: Record<string, string> }) {
  const item = useWork(words.id);
  const { works } = useKnown();
  const { answer: detail, problem } = useAnswer<Detail>(item ? `${item.id} ${item.changed}` : null, (signal) =>
    get("work", { id: item?.id }, signal),
    item?.id,
  );
  const sources = useMemo(() => {
    const files = detail ? [...detail.files.matches, ...detail.files.shards] : [];
    return [...files].sort((one, other) => other.changed - one.changed);
  }, [detail]);
  // Another run does not have the file of the one before.
  const isThere = sources.some((source) => source.file === words.file);
  const file = isThere ? words.file : sources[0]?.file;
  useEffect(() => {
    if (detail && words.file && !isThere) replace("games", { id: item?.id });
  }, [detail, words.file, isThere]);
  const number = words.game === undefined || !isThere ? null : Number(words.game);
  const open = (game: number | null, of = file) => replace("games", { id: item?.id, file: of, game: game === null ? undefined : String(game) });
  return (
    <>
      <div class="bar">
        <h1>Games</h1>
        <WorkPicker view="games" id={item?.id} />
        <label class="picker">
          <span>From</span>
          <select value={file ?? ""} onChange={(event) => open(null, event.currentTarget.value)}>
            {sources.length === 0 && <option value="">no saved games</option>}
            {sources.map((source) => (
              <option key={source.file} value={source.file}>
                {/journal\.jsonl$/.test(source.file) ? "match" : "self-play"} {shortFile(source.file)}
              </option>
            ))}
          </select>
        </label>
      </div>
      <Notice problem={problem} />
      {works && !item && <p class="empty">There is no such run here.</p>}
      {item && detail && sources.length === 0 && <p class="empty">No games were saved.</p>}
      {item && file && (
        <div class="games">
          <GameTable key={`${item.id} ${file}`} id={item.id} file={file} moment={item.changed} chosen={number} onOpen={open} />
          {number !== null && <Viewer key={`${item.id} ${file} ${number}`} id={item.id} file={file} number={number} />}
        </div>
      )}
    </>
  );
}

function GameTable({
  id,
  file,
  moment,
  chosen,
  onOpen,
}: {
  id: string;
  file: string;
  moment: number;
  chosen: number | null;
  onOpen: (game: number) => void;
}) {
  const [filter, setFilter] = useState<Filter>(NO_FILTER);
  const [skip, setSkip] = useState(0);
  const { answer, problem } = useAnswer<GameList>(`${id} ${file} ${moment} ${skip} ${JSON.stringify(filter)}`, (signal) =>
    get("games", { id, file, ...filter, skip, count: PAGE }, signal),
  );
  useEffect(() => {
    const first = answer?.games[0];
    if (chosen === null && first) onOpen(first.number);
  }, [answer, chosen]);
  const change = (part: Partial<Filter>) => {
    setFilter({ ...filter, ...part });
    setSkip(0);
  };
  return (
    <section class="panel list" aria-label="Games">
      <div class="filters">
        <label>
          Result
          <select value={filter.result} onChange={(event) => change({ result: event.currentTarget.value })}>
            <option value="">any</option>
            <option>1-0</option>
            <option>1/2-1/2</option>
            <option>0-1</option>
          </select>
        </label>
        <label>
          Plies from
          <input type="number" min={0} value={filter.least} onInput={(event) => change({ least: event.currentTarget.value })} />
        </label>
        <label>
          to
          <input type="number" min={0} value={filter.most} onInput={(event) => change({ most: event.currentTarget.value })} />
        </label>
        <label>
          Opening
          <input value={filter.opening} list="openings" placeholder="B90, Najdorf" onInput={(event) => change({ opening: event.currentTarget.value })} />
          <datalist id="openings">
            {answer?.openings.map((opening) => (
              <option key={opening} value={opening} />
            ))}
          </datalist>
        </label>
        <label>
          Ending
          <input value={filter.ending} list="endings" placeholder="mates, KRvK" onInput={(event) => change({ ending: event.currentTarget.value })} />
          <datalist id="endings">
            {answer?.reasons.map((reason) => (
              <option key={reason} value={reason} />
            ))}
          </datalist>
        </label>
      </div>
      <Notice problem={problem} />
      {answer && (
        <p class="hint">
          {answer.found === answer.all ? `${whole(answer.all)} games` : `${whole(answer.found)} of ${whole(answer.all)} games`}, newest first
        </p>
      )}
      <div class="scroll tall" tabIndex={0} role="region" aria-label="List of games">
        <table>
          <thead>
            <tr>
              {["#", "Players", "Result", "Plies", "Opening and end"].map((title) => (
                <th key={title} scope="col">
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {answer?.games.map((game) => (
              <GameRow key={game.number} game={game} chosen={game.number === chosen} onOpen={onOpen} />
            ))}
          </tbody>
        </table>
      </div>
      {answer && answer.found > PAGE && (
        <div class="buttons">
          <button type="button" disabled={skip === 0} onClick={() => setSkip(Math.max(0, skip - PAGE))}>
            Newer
          </button>
          <button type="button" disabled={skip + PAGE >= answer.found} onClick={() => setSkip(skip + PAGE)}>
            Older
          </button>
        </div>
      )}
    </section>
  );
}

function GameRow({ game, chosen, onOpen }: { game: ListedGame; chosen: boolean; onOpen: (game: number) => void }) {
  return (
    <tr class={chosen ? "chosen" : ""}>
      <td>
        <button type="button" class="small" aria-current={chosen ? "true" : undefined} aria-label={`Open game ${game.number + 1}`} onClick={() => onOpen(game.number)}>
          {game.number + 1}
        </button>
      </td>
      <td class="cut" title={`${game.white} – ${game.black}`}>
        {game.white}
        {game.white !== game.black && (
          <>
            <br />
            {game.black}
          </>
        )}
      </td>
      <td class="number">{game.result}</td>
      <td class="number">{game.plies}</td>
      <td class="cut">
        <span title={game.opening}>{game.name ? `${game.eco} ${game.name}` : game.opening}</span>
        <br />
        <span class="title" title={game.material}>
          {game.reason ?? game.material}
        </span>
      </td>
    </tr>
  );
}

function Viewer({ id, file, number }: { id: string; file: string; number: number }) {
  const { answer: game, problem } = useAnswer<ShownGame>(`${id} ${file} ${number}`, (signal) =>
    get("game", { id, file, number }, signal),
  );
  if (!game) return <Notice problem={problem} />;
  return <Replay game={game} />;
}

/** Seconds used so far at each ply whose clock was recorded. */
function clocks(game: ShownGame, ply: number): string[] {
  const used = [0, 0];
  let known = false;
  const firstIsBlack = game.fens[0]?.split(" ")[1] === "b" ? 1 : 0;
  game.plies.slice(0, ply).forEach((played, at) => {
    if (played.seconds === null) return;
    known = true;
    const side = (at + firstIsBlack) % 2;
    used[side] = (used[side] ?? 0) + played.seconds;
  });
  return known ? used.map((seconds) => `${seconds.toFixed(2)} s`) : ["", ""];
}

function Replay({ game }: { game: ShownGame }) {
  const [ply, setPly] = useState(0);
  const [flipped, setFlipped] = useState(false);
  const [arrows, setArrows] = useState<Arrow[]>([]);
  const choices = useModels();
  const last = game.plies.length;
  const go = (to: number) => setPly(Math.max(0, Math.min(last, to)));
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      const inField = event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement || event.target instanceof HTMLTextAreaElement;
      if (inField || event.ctrlKey || event.altKey || event.metaKey) return;
      const move: Record<string, () => void> = {
        ArrowLeft: () => setPly((at) => Math.max(0, at - 1)),
        ArrowRight: () => setPly((at) => Math.min(last, at + 1)),
        Home: () => setPly(0),
        End: () => setPly(last),
        f: () => setFlipped((now) => !now),
      };
      const act = move[event.key];
      if (act) {
        act();
        event.preventDefault();
      }
    };
    addEventListener("keydown", pressed);
    return () => removeEventListener("keydown", pressed);
  }, [last]);
  const fen = game.fens[ply] ?? "";
  const start = game.fens[0] ?? "";
  const played = game.plies[ply - 1];
  const [whiteTime, blackTime] = clocks(game, ply);
  const moves = game.plies.slice(0, ply).map((one) => one.uci);
  const graph = useMemo(() => evaluations(game), [game]);
  return (
    <section class="replay" aria-label="Game">
      <div class="panel">
        <p class="players">
          <strong>{game.white}</strong> {whiteTime} – <strong>{game.black}</strong> {blackTime} · {game.result}
          {game.reason && ` · ${game.reason}`}
        </p>
        <Board fen={fen} orientation={flipped ? "black" : "white"} last={played?.uci} arrows={arrows} label={`Position after ${ply} plies: ${fen}`} />
        <div class="buttons" role="group" aria-label="Moves">
          <button type="button" aria-label="First position" onClick={() => go(0)}>
            «
          </button>
          <button type="button" aria-label="Move back" onClick={() => go(ply - 1)}>
            ◀
          </button>
          <button type="button" aria-label="Move forward" onClick={() => go(ply + 1)}>
            ▶
          </button>
          <button type="button" aria-label="Last position" onClick={() => go(last)}>
            »
          </button>
          <button type="button" onClick={() => setFlipped(!flipped)}>
            Flip
          </button>
          <span class="ply" role="status" data-ply={ply}>
            {ply} of {last} {played?.value && `· ${valueForWhite(played.value, ply % 2 === (start.split(" ")[1] === "b" ? 0 : 1) ? "white" : "black")}`}
          </span>
        </div>
        <p class="hint">Keys: ← → one ply, Home and End, f flips the board.</p>
        <div class="buttons">
          <CopyButton text={fen}>Copy FEN</CopyButton>
          <CopyButton text={game.pgn}>Copy PGN</CopyButton>
          <a class="button small" href={link("play", { fen })}>
            Play on from here
          </a>
          <a class="button small" href={link("inside", { fen })}>
            Model evaluation
          </a>
        </div>
      </div>
      <div class="panel">
        <Chart
          height={190}
          data={{
            title: "Evaluation of both players, in pawns for White",
            along: "ply",
            lines: graph,
            bounds: [{ value: 0, name: "" }],
          }}
        />
        <MoveList game={game} ply={ply} onGo={go} />
      </div>
      <AnalysisPanel game={{ start, moves }} fen={fen} choices={choices} onArrows={setArrows} />
    </section>
  );
}

function evaluations(game: ShownGame) {
  const blackBegins = game.fens[0]?.split(" ")[1] === "b" ? 1 : 0;
  return [game.white, game.black].map((name, side) => {
    const own = game.plies
      .map((ply, at) => ({ ply, at }))
      .filter(({ ply, at }) => (at + blackBegins) % 2 === side && ply.value !== null);
    const pawns = ({ ply }: (typeof own)[number]) =>
      ply.value ? Math.max(-10, Math.min(10, centipawnsForWhite(ply.value, side === 0 ? "white" : "black") / 100)) : null;
    return { name: `${side === 0 ? "White" : "Black"}: ${name}`, x: own.map(({ at }) => at + 1), y: own.map(pawns), colour: side };
  });
}

function MoveList({ game, ply, onGo }: { game: ShownGame; ply: number; onGo: (ply: number) => void }) {
  const [board, turn, , , , count] = (game.fens[0] ?? "").split(" ");
  const first = Number(count ?? 1);
  const shift = turn === "b" ? 1 : 0;
  void board;
  return (
    <div class="moves" tabIndex={0} role="region" aria-label="Moves">
      {game.plies.map((played, at) => {
        const isWhite = (at + shift) % 2 === 0;
        const number = first + Math.floor((at + shift) / 2);
        return (
          <span key={at}>
            {(isWhite || at === 0) && <span class="number">{`${number}${isWhite ? "." : "…"}`} </span>}
            <button type="button" class="move" aria-current={ply === at + 1 ? "true" : undefined} onClick={() => onGo(at + 1)}>
              {played.san}
            </button>{" "}
          </span>
        );
      })}
    </div>
  );
}
