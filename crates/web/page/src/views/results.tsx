// The results of a run: verdict, rating list, crosstable, generations, matches with their tests.
import { useState } from "preact/hooks";
import { get } from "../api";
import type { ChartLine } from "../chart";
import { Chart } from "../chart";
import { elo, loss, percent, probability, shortFile, signed, whole } from "../format";
import { Notice, Table } from "../parts";
import { link } from "../route";
import { useAnswer } from "../store";
import type { Detail, MatchCourse, Meeting, Rated } from "../types";

export function Results({ detail, id }: { detail: Detail; id: string }) {
  return (
    <>
      <Verdict detail={detail} />
      <Candidates detail={detail} />
      <Claims detail={detail} />
      <div class="columns">
        <RatingList detail={detail} id={id} />
        <Crosstable detail={detail} />
      </div>
      <Matches detail={detail} id={id} />
      <Generations detail={detail} id={id} />
    </>
  );
}

function Verdict({ detail }: { detail: Detail }) {
  if (!detail.question && detail.effects.length === 0) return null;
  return (
    <section class="panel">
      <h2>Question</h2>
      {detail.question && <p class="question">{detail.question}</p>}
      {detail.effects.length > 0 && (
        <ul class="plain">
          {detail.effects.map((effect) => (
            <li key={effect.contrast}>
              <strong>{effect.contrast}</strong>: {effect.by_seed.length > 1 ? `${elo(effect.mean)} Elo, mean of ${effect.by_seed.length} seeds` : `${signed(effect.mean.value)} Elo, one seed`}
            </li>
          ))}
        </ul>
      )}
      {detail.ruling && detail.ruling !== "no rule" && (
        <p>
          <strong>{detail.ruling}</strong>
          {detail.reason && `: ${detail.reason}`}
        </p>
      )}
    </section>
  );
}

function RatingList({ detail, id }: { detail: Detail; id: string }) {
  const [rejected, setRejected] = useState(false);
  if (detail.models.length === 0) return null;
  const shown = detail.models
    .filter((model) => rejected || model.promoted)
    .sort((one, other) => (other.rating?.value ?? -Infinity) - (one.rating?.value ?? -Infinity));
  return (
    <section class="panel">
      <div class="bar">
        <h2>Rating list</h2>
        <span class="spread" />
        <label class="inline">
          <input type="checkbox" checked={rejected} onChange={(event) => setRejected(event.currentTarget.checked)} /> rejected nets, too
        </label>
      </div>
      <p class="hint">Elo above generation 0 of the same seed, from one fit of all games of that seed; 95 % intervals.</p>
      <Table label="Rating list" titles={["Net", "Seed", "#Elo", "(Look)"]}>
        {shown.map((model) => (
          <tr key={`${model.seed} ${model.model}`} class={model.promoted ? "" : "rejected"}>
            <td>
              {model.generation === 0 ? "generation 0" : `${model.arms.join(", ")} ${model.generation}`}
              {!model.promoted && " (rejected)"} <code>{shortFile(model.model)}</code>
            </td>
            <td>{model.seed}</td>
            <td class="number">{elo(model.rating)}</td>
            <td class="actions">
              <a href={link("inside", { id, model: model.file })}>inside</a> <a href={link("play", { id, model: model.file })}>play</a>
            </td>
          </tr>
        ))}
      </Table>
    </section>
  );
}

function label(model: Rated): string {
  return model.generation === 0 ? "gen. 0" : `${model.arms[0]} ${model.generation}`;
}

function Crosstable({ detail }: { detail: Detail }) {
  const [seed, setSeed] = useState(detail.seeds[0] ?? 0);
  const models = detail.models.filter((model) => model.seed === seed);
  const meetings = detail.meetings.filter((meeting) => meeting.seed === seed);
  if (meetings.length === 0) return null;
  const cells = new Map<string, { score: number; games: number }>();
  const add = (first: string, second: string, score: number, games: number) => {
    const cell = cells.get(`${first} ${second}`) ?? { score: 0, games: 0 };
    cells.set(`${first} ${second}`, { score: cell.score + score, games: cell.games + games });
  };
  for (const met of meetings) {
    if (met.first === met.second) continue;
    const games = met.wins + met.draws + met.losses;
    add(met.first, met.second, met.wins + met.draws / 2, games);
    add(met.second, met.first, met.losses + met.draws / 2, games);
  }
  const played = models.filter((model) => [...cells.keys()].some((key) => key.startsWith(`${model.model} `)));
  return (
    <section class="panel">
      <div class="bar">
        <h2>Crosstable</h2>
        <span class="spread" />
        {detail.seeds.length > 1 && (
          <label class="picker">
            <span>Seed</span>
            <select value={seed} onChange={(event) => setSeed(Number(event.currentTarget.value))}>
              {detail.seeds.map((known) => (
                <option key={known}>{known}</option>
              ))}
            </select>
          </label>
        )}
      </div>
      <p class="hint">Points of the row's net against the column's net, and number of games.</p>
      <div class="scroll" tabIndex={0} role="region" aria-label="Crosstable">
        <table class="crosstable">
          <thead>
            <tr>
              <td />
              {played.map((model) => (
                <th key={model.model} scope="col" title={model.model}>
                  {label(model)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {played.map((row) => (
              <tr key={row.model}>
                <th scope="row" title={row.model}>
                  {label(row)}
                </th>
                {played.map((column) => {
                  const cell = cells.get(`${row.model} ${column.model}`);
                  if (row === column) return <td key={column.model} class="self" />;
                  if (!cell) return <td key={column.model} />;
                  const share = cell.score / cell.games;
                  return (
                    <td key={column.model} class={share > 0.5 ? "good" : share < 0.5 ? "bad" : ""}>
                      {cell.score}/{cell.games}
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function Matches({ detail, id }: { detail: Detail; id: string }) {
  const files = detail.files.matches;
  const [file, setFile] = useState<string | null>(null);
  const chosen = file ?? files[files.length - 1]?.file ?? null;
  const { answer, problem } = useAnswer<MatchCourse>(chosen && `${id} ${chosen} ${detail.item?.changed}`, (signal) =>
    get("match", { id, file: chosen }, signal),
  );
  if (files.length === 0 && detail.meetings.length === 0) return null;
  return (
    <section class="panel">
      <div class="bar">
        <h2>Matches</h2>
        <span class="spread" />
        {files.length > 0 && (
          <label class="picker">
            <span>Course of</span>
            <select value={chosen ?? ""} onChange={(event) => setFile(event.currentTarget.value)}>
              {files.map((known) => (
                <option key={known.file} value={known.file}>
                  {shortFile(known.file)}
                </option>
              ))}
            </select>
          </label>
        )}
      </div>
      <Notice problem={problem} />
      {answer && answer.games.length > 0 && (
        <div class="charts">
          <Chart
            height={220}
            data={{
              title: `Elo of ${answer.first} above ${answer.second}, game by game`,
              along: "games",
              lines: [courseLine(answer)],
              bounds: [{ value: 0, name: "" }],
            }}
          />
          {answer.bounds && answer.hypotheses && (
            <Chart
              height={220}
              data={{
                title: `Sequential test of ${answer.hypotheses[1]} against ${answer.hypotheses[0]} Elo`,
                along: "games",
                lines: [{ name: "LLR", x: answer.games, y: answer.llr, colour: 2 }],
                bounds: [
                  { value: answer.bounds[0], name: `accept ${answer.hypotheses[0]}` },
                  { value: answer.bounds[1], name: `accept ${answer.hypotheses[1]}` },
                ],
              }}
            />
          )}
        </div>
      )}
      {detail.meetings.length > 0 && <MeetingTable meetings={detail.meetings} />}
    </section>
  );
}

/** The course of a match, without its first games: their wide intervals would flatten the rest. */
function courseLine(course: MatchCourse): ChartLine {
  const isVague = (at: number) => {
    const { lower, upper } = course.elo[at] ?? {};
    return typeof lower !== "number" || typeof upper !== "number" || upper - lower > 700;
  };
  let first = course.elo.findIndex((_, at) => !isVague(at));
  if (first < 0 || course.elo.length - first < 5) first = 0;
  const elo = course.elo.slice(first);
  return {
    name: course.first,
    x: course.games.slice(first),
    y: elo.map((at) => at.value),
    low: elo.map((at) => at.lower),
    high: elo.map((at) => at.upper),
  };
}

function MeetingTable({ meetings }: { meetings: Meeting[] }) {
  return (
    <details>
      <summary>All {meetings.length} matches with their results</summary>
      <Table label="Matches" titles={["Arm", "Seed", "Generation", "Match", "#Wins", "#Draws", "#Losses", "#Elo", "#LOS"]}>
        {meetings.map((met, at) => (
          <tr key={at}>
            <td>{met.arm}</td>
            <td>{met.seed}</td>
            <td>{met.generation}</td>
            <td>{met.step}</td>
            <td class="number">{met.wins}</td>
            <td class="number">{met.draws}</td>
            <td class="number">{met.losses}</td>
            <td class="number">{elo(met.elo)}</td>
            <td class="number">{met.los === null ? "–" : percent(met.los, 1)}</td>
          </tr>
        ))}
      </Table>
    </details>
  );
}

function Generations({ detail, id }: { detail: Detail; id: string }) {
  if (detail.rows.length === 0) return null;
  return (
    <details class="panel">
      <summary>All {detail.rows.length} generations</summary>
      <Table label="Generations" titles={["Arm", "Seed", "Generation", "#Games", "#Plies", "#Decisive", "#Loss", "#Against previous", "#Against generation 0", "Promoted", "(Play)"]}>
        {detail.rows.map((row) => (
          <tr key={`${row.arm} ${row.seed} ${row.generation}`}>
            <td>{row.arm}</td>
            <td>{row.seed}</td>
            <td>{row.generation}</td>
            <td class="number">{whole(row.games)}</td>
            <td class="number">{row.plies.toFixed(1)}</td>
            <td class="number">{percent(row.decisive)}</td>
            <td class="number">{loss(row.validation_loss)}</td>
            <td class="number">{elo(row.previous)}</td>
            <td class="number">{elo(row.baseline)}</td>
            <td title={row.reason}>{row.promoted ? "yes" : "no"}</td>
            <td>
              <a href={link("play", { id, model: row.version })}>play</a>
            </td>
          </tr>
        ))}
      </Table>
    </details>
  );
}

function Candidates({ detail }: { detail: Detail }) {
  if (detail.candidates.length === 0) return null;
  const ranked = detail.candidates;
  const byEpoch = ranked.filter((candidate) => candidate.epoch !== null).sort((one, other) => (one.epoch ?? 0) - (other.epoch ?? 0));
  return (
    <section class="panel">
      <h2>Candidates</h2>
      {byEpoch.length > 1 && (
        <Chart
          height={220}
          data={{
            title: "Elo above the baseline by epoch",
            along: "epoch",
            lines: [
              {
                name: "candidates",
                x: byEpoch.map((candidate) => candidate.epoch ?? 0),
                y: byEpoch.map((candidate) => candidate.elo.value),
                low: byEpoch.map((candidate) => candidate.elo.lower),
                high: byEpoch.map((candidate) => candidate.elo.upper),
              },
            ],
          }}
        />
      )}
      <Table label="Candidates" titles={["Net", "#Elo", "#Wins", "#Draws", "#Losses", "#Probability of being the best", "#Validation loss"]}>
        {ranked.map((candidate) => (
          <tr key={candidate.name} class={candidate.chosen ? "chosen" : ""}>
            <td>
              {candidate.name} {candidate.chosen && <strong>chosen</strong>}
            </td>
            <td class="number">{elo(candidate.elo)}</td>
            <td class="number">{candidate.wins}</td>
            <td class="number">{candidate.draws}</td>
            <td class="number">{candidate.losses}</td>
            <td class="number">{percent(candidate.chance, 1)}</td>
            <td class="number">{loss(candidate.validation_loss)}</td>
          </tr>
        ))}
      </Table>
    </section>
  );
}

function Claims({ detail }: { detail: Detail }) {
  return (
    <>
      {detail.claims.map((claim) => (
        <section class="panel" key={claim.name}>
          <h2>
            {claim.name}: {claim.ruling}
          </h2>
          <p>
            {claim.text} <span class="hint">({claim.pace})</span>
          </p>
          <Table label={`Matches of ${claim.name}`} titles={["First", "Second", "#Games", "#Score", "#Elo", "#p after correction", "Ruling"]}>
            {claim.matches.map((met) => (
              <tr key={`${met.first} ${met.second}`}>
                <td>{met.first}</td>
                <td>{met.second}</td>
                <td class="number">{met.games}</td>
                <td class="number">{met.games > 0 ? percent(met.score, 1) : "–"}</td>
                <td class="number">{elo(met.elo)}</td>
                <td class="number">{met.corrected === null ? "–" : probability(met.corrected)}</td>
                <td>{met.ruling}</td>
              </tr>
            ))}
          </Table>
        </section>
      ))}
    </>
  );
}
