// Histograms of a shard's positions, and single positions to leaf through.
import { useEffect, useState } from "preact/hooks";
import { get } from "../api";
import { Board } from "../board";
import { percent, shortFile, signed, whole } from "../format";
import { CopyButton, Notice, useWork, WorkPicker } from "../parts";
import { link, replace } from "../route";
import { useAnswer, useKnown } from "../store";
import type { Bins, Counts, Detail, ShownPosition } from "../types";

const PAGE = 6;

export function Data({ words }: { words: Record<string, string> }) {
  const item = useWork(words.id);
  const { works } = useKnown();
  const { answer: detail, problem } = useAnswer<Detail>(item ? `${item.id} ${item.changed}` : null, (signal) =>
    get("work", { id: item?.id }, signal),
    item?.id,
  );
  const shards = detail?.files.shards ?? [];
  // Another run does not have the file of the one before.
  const isThere = shards.some((shard) => shard.file === words.file);
  const file = isThere ? words.file : shards[shards.length - 1]?.file;
  useEffect(() => {
    if (detail && words.file && !isThere) replace("data", { id: item?.id });
  }, [detail, words.file, isThere]);
  return (
    <>
      <div class="bar">
        <h1>Data</h1>
        <WorkPicker view="data" id={item?.id} />
        <label class="picker">
          <span>Shard</span>
          <select value={file ?? ""} onChange={(event) => replace("data", { id: item?.id, file: event.currentTarget.value })}>
            {shards.length === 0 && <option value="">no saved positions</option>}
            {shards.map((shard) => (
              <option key={shard.file} value={shard.file}>
                {shortFile(shard.file)}
              </option>
            ))}
          </select>
        </label>
      </div>
      <Notice problem={problem} />
      {works && !item && <p class="empty">There is no such run here.</p>}
      {item && detail && shards.length === 0 && <p class="empty">No positions were saved.</p>}
      {item && file && (
        <>
          <Histograms key={`${item.id} ${file}`} id={item.id} file={file} />
          <Leaf key={`leaf ${item.id} ${file}`} id={item.id} file={file} />
        </>
      )}
    </>
  );
}

function Histograms({ id, file }: { id: string; file: string }) {
  const { answer: counts, problem } = useAnswer<Counts>(`${id} ${file}`, (signal) => get("shard", { id, file }, signal));
  if (!counts) return <>{problem ? <Notice problem={problem} /> : <p class="empty">Counting …</p>}</>;
  const share = (count: number) => percent(count / Math.max(1, counts.positions), 1);
  const [losses, draws, wins] = counts.results;
  return (
    <section aria-label="Statistics of the positions">
      <dl class="facts">
        {(
          [
            ["Positions", `${whole(counts.positions)}${counts.cut ? " (only the first ones)" : ""}`],
            ["Games", whole(counts.games)],
            ["Duplicates", `${whole(counts.duplicates)} (${share(counts.duplicates)})`],
            ["White wins, draws, loses", `${share(wins)}, ${share(draws)}, ${share(losses)}`],
            ["In check", share(counts.checks)],
            ["Captures", share(counts.captures)],
            ["Mates and proofs", share(counts.decisive)],
            ["Score contradicts result", share(counts.contradictions)],
          ] as const
        ).map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <div class="charts">
        <Histogram title="Scores, in centipawns for the side to move" bins={counts.scores} />
        <Histogram title="Plies" bins={counts.plies} />
        <Histogram title="Men on the board" bins={counts.men} />
        <Kings counts={counts.kings} />
      </div>
    </section>
  );
}

/** The bins from the first to the last that is not empty, and the start of the first. */
function occupied(bins: Bins): [number, number[]] {
  const begin = Math.max(0, bins.below > 0 ? 0 : bins.counts.findIndex((count) => count > 0));
  const end = bins.above > 0 ? bins.counts.length : bins.counts.findLastIndex((count) => count > 0) + 1;
  return [bins.first + begin * bins.width, bins.counts.slice(begin, Math.max(end, begin + 1))];
}

function Histogram({ title, bins }: { title: string; bins: Bins }) {
  const [first, counts] = occupied(bins);
  // Bars for what lies outside have no room if there is nothing.
  const below = bins.below > 0 ? [bins.below] : [];
  const all = [...below, ...counts, ...(bins.above > 0 ? [bins.above] : [])];
  const most = Math.max(1, ...all);
  const sum = Math.max(1, all.reduce((total, count) => total + count, 0));
  const last = first + bins.width * counts.length;
  const name = (at: number) => {
    const bin = at - below.length;
    if (bin < 0) return `below ${first}`;
    if (bin >= counts.length) return `from ${last}`;
    const begin = first + bin * bins.width;
    return bins.width === 1 ? String(begin) : `${begin} to ${begin + bins.width - 1}`;
  };
  const width = 400 / all.length;
  const left = below.length * width;
  const right = left + counts.length * width;
  return (
    <figure class="panel histogram">
      <figcaption>{title}</figcaption>
      <svg viewBox="0 0 400 150" role="img" aria-label={`${title}: the most are at ${name(all.indexOf(most))}`}>
        {all.map((count, at) => (
          <rect key={at} x={at * width} y={120 - (118 * count) / most} width={Math.max(1, width - 1)} height={(118 * count) / most}>
            <title>{`${name(at)}: ${whole(count)} (${percent(count / sum, 1)})`}</title>
          </rect>
        ))}
        <text x={left} y="140">
          {first}
        </text>
        <text x={(left + right) / 2} y="140" text-anchor="middle">
          {Math.round((first + last) / 2)}
        </text>
        <text x={right} y="140" text-anchor="end">
          {last}
        </text>
      </svg>
    </figure>
  );
}

function Kings({ counts }: { counts: number[] }) {
  const most = Math.max(1, ...counts);
  return (
    <figure class="panel histogram">
      <figcaption>Where White’s king stands</figcaption>
      <svg viewBox="0 0 160 160" class="kings" role="img" aria-label="How often White's king stands on each square">
        {counts.map((count, square) => (
          <rect key={square} x={(square % 8) * 20} y={(7 - Math.floor(square / 8)) * 20} width={20} height={20} class="more" fill-opacity={0.05 + 0.95 * Math.sqrt(count / most)}>
            <title>{whole(count)}</title>
          </rect>
        ))}
      </svg>
    </figure>
  );
}

function Leaf({ id, file }: { id: string; file: string }) {
  const [skip, setSkip] = useState(0);
  const { answer: positions, problem } = useAnswer<ShownPosition[]>(`${id} ${file} ${skip}`, (signal) =>
    get("positions", { id, file, skip, count: PAGE }, signal),
  );
  return (
    <section class="panel" aria-label="Single positions">
      <div class="bar">
        <h2>Single positions</h2>
        <span class="spread" />
        <button type="button" disabled={skip === 0} onClick={() => setSkip(Math.max(0, skip - PAGE))}>
          Before
        </button>
        <label class="picker">
          <span>From position</span>
          <input type="number" min={1} value={skip + 1} onChange={(event) => setSkip(Math.max(0, Number(event.currentTarget.value) - 1))} />
        </label>
        <button type="button" disabled={(positions?.length ?? 0) < PAGE} onClick={() => setSkip(skip + PAGE)}>
          Next
        </button>
      </div>
      <Notice problem={problem} />
      <div class="leaf">
        {positions?.map((position) => (
          <figure key={position.number}>
            <Board fen={position.fen} arrows={position.uci ? [{ uci: position.uci, weight: 0.4 }] : []} label={`Position ${position.number + 1}: ${position.fen}`} />
            <figcaption>
              {position.number + 1}: {position.turn} to move, {position.san ?? "no move"} · score {signed(position.score)} · {position.result} · ply {position.ply}
              <span class="buttons">
                <CopyButton text={position.fen}>Copy FEN</CopyButton>
                <a class="button small" href={link("inside", { id, fen: position.fen })}>
                  Inside
                </a>
              </span>
            </figcaption>
          </figure>
        ))}
      </div>
    </section>
  );
}
