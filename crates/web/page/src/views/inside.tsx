// A model's evaluation of a position, and pictures of its weights.
import { useEffect, useState } from "preact/hooks";
import { arrowsOf, Lines, useModels, useThinking } from "../analysis";
import { get, post } from "../api";
import type { Arrow, Mark } from "../board";
import { Board, EvaluationBar } from "../board";
import { bytes, figures, percent, signed, whiteShare, whole } from "../format";
import { HeatMaps } from "../heat";
import { ModelPicker, Notice, sameModel, Table, useWork } from "../parts";
import { link, replace } from "../route";
import { useAnswer, useKnown } from "../store";
import type { AboutModel, Belief, Choice, Drawn, ModelName, Position } from "../types";

const START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/** A numbered series of models, such as the versions of one arm. */
function family(choices: Choice[], model: ModelName): Choice[] {
  const stem = (file: string) => file.replace(/\d+(?=\.[a-z.]+$)/, "#");
  return choices.filter((choice) => choice.model.work === model.work && model.work !== null && stem(choice.model.file) === stem(model.file));
}

/** What a model of a family is called, such as `Version 4`. */
function member(file: string): string {
  const [, word, number] = /([a-z]+)-?(\d+)\.[a-z.]+$/i.exec(file) ?? [];
  return word && number ? `${word[0]?.toUpperCase()}${word.slice(1)} ${Number(number)}` : "Model";
}

/** The model that an address names. */
function modelOf(words: Record<string, string>): ModelName | null {
  return words.model ? { work: words.id ?? null, file: words.model } : null;
}

/** Changes of the address wait a moment: browsers allow only so many. */
const PAUSE = 250;

export function Inside({ words }: { words: Record<string, string> }) {
  const choices = useModels();
  const item = useWork(words.id);
  const isKnown = useKnown().works !== null;
  const [model, setModel] = useState<ModelName | null>(modelOf(words));
  const [fen, setFen] = useState(words.fen ?? START);
  // The address says what is shown, and follows what is chosen.
  useEffect(() => {
    const asked = modelOf(words);
    setModel((now) => (now && asked && sameModel(now, asked) ? now : asked));
  }, [words.id, words.model]);
  useEffect(() => setFen(words.fen ?? START), [words.fen]);
  useEffect(() => {
    if (!model) return undefined;
    const shown = { id: model.work ?? undefined, model: model.file, fen: fen === START ? undefined : fen };
    const timer = setTimeout(() => replace("inside", shown), PAUSE);
    return () => clearTimeout(timer);
  }, [model?.work, model?.file, fen]);
  useEffect(() => {
    if (model || choices.length === 0 || !isKnown) return;
    const own = choices.filter((choice) => choice.model.work === item?.id);
    const versions = own.filter((choice) => /version-\d+/.test(choice.name));
    const newest = versions[versions.length - 1] ?? own[own.length - 1] ?? choices[0];
    if (newest) setModel(newest.model);
  }, [choices, item?.id, model, isKnown]);
  if (!model) return <p class="empty">Reading …</p>;
  const row = family(choices, model);
  const at = row.findIndex((choice) => choice.model.file === model.file);
  return (
    <>
      <div class="bar">
        <h1>Inside a model</h1>
        <ModelPicker choices={choices} value={model} onChange={setModel} />
        {row.length > 1 && (
          <label class="slider">
            <span>
              {member(model.file)} · {at + 1} of {row.length}
            </span>
            <input
              id="generation"
              type="range"
              min={0}
              max={row.length - 1}
              value={at}
              onInput={(event) => {
                const chosen = row[Number(event.currentTarget.value)];
                if (chosen) setModel(chosen.model);
              }}
            />
          </label>
        )}
      </div>
      <BeliefPart model={model} fen={fen} onFen={setFen} />
      <Weights model={model} />
    </>
  );
}

function BeliefPart({ model, fen, onFen }: { model: ModelName; fen: string; onFen: (fen: string) => void }) {
  const key = `${model.work} ${model.file} ${fen}`;
  const { answer: belief, problem } = useAnswer<Belief>(key, (signal) => post("belief", { model, fen }, signal));
  const { answer: position } = useAnswer<Position>(fen, (signal) =>
    post("position", { game: { start: fen, moves: [] }, white: null, black: null, resigned: null }, signal),
  );
  const [show, setShow] = useState(true);
  const thinking = useThinking();
  const searched = thinking.thought?.fen === fen ? thinking.thought : null;
  const play = (uci: string) => {
    void post<Position>("position", { game: { start: fen, moves: [uci] }, white: null, black: null, resigned: null }).then((next) => {
      const after = next.fens[next.fens.length - 1];
      if (after) onFen(after);
    });
  };
  const marks: Mark[] = !show || !belief ? [] : belief.men.map((man) => ({ square: man.square, text: Math.abs(man.amount).toFixed(1), good: man.amount >= 0 }));
  const arrows: Arrow[] =
    searched && searched.tried.length > 0
      ? arrowsOf(searched, fen)
      : (belief?.moves ?? [])
          .filter((move) => (move.share ?? 0) >= 0.02)
          .slice(0, 6)
          .map((move) => ({ uci: move.uci, weight: move.share ?? 0, label: percent(move.share ?? 0), brush: "blue" as const }));
  const value = belief?.centipawns ?? null;
  return (
    <div class="belief">
      <div class="panel">
        <div class="board-row">
          {value !== null && <EvaluationBar share={whiteShare(value)} text={signed(value / 100, 2)} />}
          <Board fen={fen} legal={position?.legal ?? []} onMove={play} arrows={show ? arrows : []} marks={marks} label={`Position: ${fen}`} />
        </div>
        <FenInput fen={fen} onFen={onFen} />
        <div class="buttons">
          <label class="inline">
            <input type="checkbox" checked={show} onChange={(event) => setShow(event.currentTarget.checked)} /> numbers and arrows
          </label>
          <a class="button small" href={link("play", { id: model.work ?? undefined, model: model.work ? model.file : undefined, fen })}>
            Play from here
          </a>
        </div>
      </div>
      <div class="panel" aria-live="polite">
        <h2>Evaluation without search</h2>
        <Notice problem={problem} />
        {belief && <BeliefNumbers belief={belief} />}
        <h2>With a search</h2>
        <div class="buttons">
          <button type="button" disabled={thinking.running} onClick={() => thinking.start({ start: fen, moves: [] }, model, null, 5000, 3, 20_000)}>
            Best lines
          </button>
          <button type="button" disabled={thinking.running} onClick={() => thinking.start({ start: fen, moves: [] }, model, "mcts", 5000, 3, 800)}>
            Tree search, 800 visits
          </button>
        </div>
        <Notice problem={thinking.problem} />
        {searched && <Lines thought={searched} />}
      </div>
    </div>
  );
}

function BeliefNumbers({ belief }: { belief: Belief }) {
  const largest = Math.max(1, ...belief.terms.map((term) => Math.abs(term.centipawns)));
  return (
    <>
      <p>
        {belief.centipawns !== null && (
          <>
            <strong class="number" id="belief-value">
              {signed(belief.centipawns / 100, 2)}
            </strong>{" "}
            pawns for White
          </>
        )}
        {belief.wdl && (
          <>
            {" "}
            · White wins {percent(belief.wdl[0] / 1000)}, draws {percent(belief.wdl[1] / 1000)}, loses {percent(belief.wdl[2] / 1000)}
          </>
        )}
      </p>
      {belief.men.length > 0 && (
        <p class="hint">
          The numbers on the board are the contribution of each man, in {belief.in_pawns ? "pawns" : "percent of a game"}: the value minus that of the position without it. Blue is good for White, red for Black.
        </p>
      )}
      {belief.terms.length > 0 && (
        <table class="terms">
          <tbody>
            {belief.terms
              .filter((term) => term.centipawns !== 0)
              .map((term) => (
                <tr key={term.name}>
                  <th scope="row">{term.name}</th>
                  <td class="number">{signed(term.centipawns)}</td>
                  <td>
                    <span class={`bar-cell ${term.centipawns > 0 ? "good" : "bad"}`} style={{ width: `${(100 * Math.abs(term.centipawns)) / largest}%` }} />
                  </td>
                </tr>
              ))}
          </tbody>
        </table>
      )}
      {belief.moves.length > 0 && (
        <table class="terms">
          <tbody>
            {belief.moves.slice(0, 10).map((move) => (
              <tr key={move.uci}>
                <th scope="row">{move.san}</th>
                <td class="number">{percent(move.share ?? 0, 1)}</td>
                <td>
                  <span class="bar-cell good" style={{ width: `${100 * (move.share ?? 0)}%` }} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </>
  );
}

function FenInput({ fen, onFen }: { fen: string; onFen: (fen: string) => void }) {
  const [text, setText] = useState(fen);
  useEffect(() => setText(fen), [fen]);
  return (
    <form
      class="fen"
      onSubmit={(event) => {
        event.preventDefault();
        onFen(text.trim() || START);
      }}
    >
      <label>
        <span class="visually-hidden">Position as FEN</span>
        <input value={text} spellcheck={false} onInput={(event) => setText(event.currentTarget.value)} />
      </label>
      <button type="submit">Show</button>
      <button type="button" onClick={() => onFen(START)}>
        Start
      </button>
    </form>
  );
}

interface Asked extends Record<string, string | undefined> {
  id: string | undefined;
  file: string;
}

function Weights({ model }: { model: ModelName }) {
  const { answer, problem } = useAnswer<{ about: AboutModel; words: Asked }>(`${model.work} ${model.file}`, async (signal) => {
    const words = { id: model.work ?? undefined, file: model.file };
    return { about: await get("model", words, signal), words };
  });
  // While another model is read, everything is still about the one before.
  const { about, words } = answer ?? {};
  const [wanted, setWanted] = useState<string | null>(null);
  const [set, setSet] = useState(0);
  const sheet = about?.sheets.find((known) => known.name === wanted) ?? about?.sheets[0];
  const number = Math.min(set, (sheet?.sets ?? 1) - 1);
  const { answer: boards } = useAnswer<Drawn[]>(sheet ? `${words?.id} ${words?.file} ${sheet.name} ${number}` : null, (signal) =>
    get("boards", { ...words, sheet: sheet?.name, set: number }, signal),
  );
  if (!about) return <Notice problem={problem} />;
  // Only integer weights have a largest possible value.
  const isWhole = about.layers.some((layer) => layer.saturated !== null);
  return (
    <>
      <section class="panel">
        <h2>The model</h2>
        <p>
          <code>{about.name}</code> · {about.description}
          {about.bytes > 0 && ` · ${bytes(about.bytes)}`}
        </p>
        {about.neurons.map((neurons) => (
          <p key={neurons.layer}>
            Of {neurons.count} neurons of the {neurons.layer} <strong>{neurons.dead}</strong> are dead; {percent(neurons.active, 1)} are active in a position,{" "}
            {percent(neurons.saturated, 2)} saturated ({neurons.positions} positions of random games).
          </p>
        ))}
        {about.layers.length > 0 && (
          <Table label="Layers" titles={["Layer", "#Weights", "#Min", "#Max", "#Mean magnitude", "#Zeros", ...(isWhole ? ["#Saturated"] : [])]}>
            {about.layers.map((layer) => (
              <tr key={layer.name}>
                <td>{layer.name}</td>
                <td class="number">{whole(layer.weights)}</td>
                <td class="number">{isWhole ? layer.least : figures(layer.least)}</td>
                <td class="number">{isWhole ? layer.most : figures(layer.most)}</td>
                <td class="number">{figures(layer.mean_magnitude)}</td>
                <td class="number">{percent(layer.zeros, 2)}</td>
                {layer.saturated !== null && <td class="number">{percent(layer.saturated, 2)}</td>}
              </tr>
            ))}
          </Table>
        )}
      </section>
      {sheet && (
        <section class="panel">
          <div class="bar">
            <h2>Heat maps</h2>
            {about.sheets.length > 1 && (
              <label class="picker">
                <span>Show</span>
                <select
                  value={sheet.name}
                  onChange={(event) => {
                    setWanted(event.currentTarget.value);
                    setSet(0);
                  }}
                >
                  {about.sheets.map((known) => (
                    <option key={known.name}>{known.name}</option>
                  ))}
                </select>
              </label>
            )}
            {sheet.sets > 1 && (
              <label class="slider">
                <span>
                  <span class="capital">{sheet.set}</span> {number + 1} of {sheet.sets}
                </span>
                <input type="range" min={0} max={sheet.sets - 1} value={number} onInput={(event) => setSet(Number(event.currentTarget.value))} />
              </label>
            )}
          </div>
          <p class="hint capital">{sheet.meaning}. Blue is above, orange below the mean of a board.</p>
          {boards && <HeatMaps boards={boards} />}
        </section>
      )}
      {!sheet && <p class="hint">This model has no weights, so there is nothing to draw.</p>}
    </>
  );
}
