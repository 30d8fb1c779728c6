// How models learn: the curves of one run, or of several in one chart, and the results.
import { useEffect, useState } from "preact/hooks";
import { get } from "../api";
import type { ChartLine } from "../chart";
import { Chart } from "../chart";
import { duration } from "../format";
import { Badge, Notice, ProgressLine, timeLeft, useWork, WorkPicker } from "../parts";
import { link, replace } from "../route";
import { meanOf } from "../statistics";
import { useAnswer, useKnown } from "../store";
import type { Curve, Detail, WorkSummary, Metric } from "../types";
import { Cluster } from "./cluster";
import { Actions } from "./runs";
import { Results } from "./results";

/** Curves shown by default. */
const USUAL = ["rating", "eval", "validation-loss", "running-loss", "decisive", "plies", "speed"];
const USUAL_EPOCHS = 6;

export function Learning({ words }: { words: Record<string, string> }) {
  const item = useWork(words.id);
  const others = (words.with ?? "").split(",").filter((id) => id);
  const { works, progress } = useKnown();
  if (works && !item) {
    return (
      <>
        <h1>Learning</h1>
        <p class="empty">
          There is nothing to show{words.id ? ` of ${words.id}` : ""} yet. <a href={link("runs")}>All runs</a>
        </p>
      </>
    );
  }
  if (!item) return <p class="empty">Reading …</p>;
  const now = progress.get(item.id);
  return (
    <>
      <div class="bar">
        <h1>{item.name}</h1>
        <Badge standing={item.standing} />
        <span class="spread" />
        <WorkPicker view="learning" id={item.id} />
        <CompareWith item={item} others={others} />
      </div>
      {item.title && <p class="lead">{item.title}</p>}
      <div class="panel status">
        <span>
          {item.done}
          {item.of > 0 && ` of ${item.of}`} {item.unit} · {duration(item.seconds)} so far
          {item.standing === "running" && item.seconds_left !== null && <> · {timeLeft(item)} left</>}
          {item.ruling && <> · {item.ruling}</>}
        </span>
        <span class="actions">
          <Actions item={item} />
        </span>
        {now && <ProgressLine progress={now} />}
      </div>
      <Cluster key={`cluster ${item.id}`} item={item} />
      <Curves key={item.id} item={item} others={others} tick={now?.at ?? 0} />
      <DetailPart item={item} />
    </>
  );
}

function CompareWith({ item, others }: { item: WorkSummary; others: string[] }) {
  const works = [...(useKnown().works?.values() ?? [])].filter((other) => other.id !== item.id);
  const set = (list: string[]) => replace("learning", { id: item.id, with: list.join(",") });
  return (
    <span class="compare">
      {others.map((id) => (
        <button key={id} type="button" class="small" onClick={() => set(others.filter((other) => other !== id))}>
          {id} ✕
        </button>
      ))}
      <label>
        <span class="visually-hidden">Compare with</span>
        <select value="" onChange={(event) => set([...others, event.currentTarget.value])}>
          <option value="">compare with …</option>
          {works
            .filter((other) => !others.includes(other.id))
            .map((other) => (
              <option key={other.id}>{other.id}</option>
            ))}
        </select>
      </label>
    </span>
  );
}

function Curves({ item, others, tick }: { item: WorkSummary; others: string[]; tick: number }) {
  // A live run is requested again when a step ends, and every few seconds within a step.
  const moment = `${item.id} ${item.changed} ${item.done} ${Math.floor(tick / 4000)}`;
  const { answer: metrics, problem } = useAnswer<Metric[]>(`${item.id} ${item.done}`, (signal) =>
    get("metrics", { id: item.id }, signal),
  );
  const [chosen, setChosen] = useState<string[] | null>(null);
  const [mean, setMean] = useState(item.seeds > 1);
  if (!metrics) return <Notice problem={problem} />;
  const names = metrics.map((metric) => metric.name);
  const usual = USUAL.filter((name) => names.includes(name));
  const epochs = names.filter((name) => name.startsWith("epoch."));
  const shown = chosen ?? (usual.length > 0 ? usual : epochs.slice(0, USUAL_EPOCHS));
  const minor = metrics.filter((metric) => metric.minor);
  const chip = (metric: Metric) => {
    const on = shown.includes(metric.name);
    return (
      <button
        key={metric.name}
        type="button"
        class="chip"
        aria-pressed={on}
        title={metric.title}
        onClick={() => setChosen(on ? shown.filter((name) => name !== metric.name) : [...shown, metric.name])}
      >
        {metric.name.includes(".") ? metric.title : metric.name.replaceAll(/[-_]/g, " ")}
      </button>
    );
  };
  return (
    <section aria-label="Curves">
      <div class="chips" role="group" aria-label="Curves that are shown">
        {metrics.filter((metric) => !metric.minor).map(chip)}
        {item.seeds > 1 && (
          <label class="inline">
            <input type="checkbox" checked={mean} onChange={(event) => setMean(event.currentTarget.checked)} /> mean over seeds
            {item.seeds > 2 && ", with its 95 % interval"}
          </label>
        )}
      </div>
      {minor.length > 0 && (
        <details class="more-curves">
          <summary>{minor.length} more curves</summary>
          <div class="chips" role="group" aria-label="More curves">
            {minor.map(chip)}
          </div>
        </details>
      )}
      <Notice problem={problem} />
      <div class="charts">
        {metrics
          .filter((metric) => shown.includes(metric.name))
          .map((metric) => (
            <CurveChart key={metric.name} metric={metric} ids={[item.id, ...others]} moment={moment} mean={mean} />
          ))}
      </div>
    </section>
  );
}

function CurveChart({ metric, ids, moment, mean }: { metric: Metric; ids: string[]; moment: string; mean: boolean }) {
  const [range, setRange] = useState<[number, number] | null>(null);
  const key = `${metric.name} ${ids.join(",")} ${moment} ${range?.join("-") ?? ""}`;
  const { answer, problem } = useAnswer<Curve[]>(key, (signal) =>
    Promise.all(
      ids.map(async (id) => {
        const words = { id, metric: metric.name, from: range?.[0], to: range?.[1] };
        // A run that is compared may not have this curve.
        return get<Curve>("curve", words, signal).catch((error: unknown) => {
          if (id === ids[0]) throw error;
          return { metric, lines: [] };
        });
      }),
    ),
  );
  const curves = answer ?? [];
  const all = curves.flatMap((curve, at) => linesOf(curve, ids.length > 1 ? ids[at] : undefined, mean));
  const lines = all.filter((line) => line.x.length > 0);
  return (
    <div class="panel">
      <Notice problem={problem} />
      <Chart data={{ title: metric.title, along: metric.along, share: metric.share, lines, range }} onZoom={setRange} />
    </div>
  );
}

/** The lines of a curve, with the mean of each arm on top if requested. */
function linesOf(curve: Curve, of: string | undefined, mean: boolean): ChartLine[] {
  const arms = [...new Set(curve.lines.map((line) => line.arm ?? line.name))];
  const shift = of ? of.length : 0;
  const named = (name: string) => (of ? `${of}: ${name}` : name);
  const single = (faint: boolean): ChartLine[] =>
    curve.lines.map((line, at) => ({
      name: named(line.name),
      x: line.x,
      y: line.y,
      ...(faint ? { faint: true } : { low: line.low, high: line.high }),
      colour: faint ? arms.indexOf(line.arm ?? line.name) + shift : at + shift,
    }));
  const isMany = mean && curve.lines.some((line) => line.arm) && curve.lines.length > arms.length && curve.metric.along === "generation";
  if (!isMany) return single(false);
  const means = arms.map((arm, at): ChartLine => {
    const members = curve.lines.filter((line) => line.arm === arm);
    const xs = [...new Set(members.flatMap((line) => line.x))].sort((one, other) => one - other);
    const spread = xs.map((x) => {
      const values = members.map((line) => line.y[line.x.indexOf(x)]).filter((value): value is number => typeof value === "number");
      return meanOf(values);
    });
    const interval = members.length > 2 ? ", 95 % interval" : "";
    return {
      name: named(`${arm}, mean of ${members.length} seeds${interval}`),
      x: xs,
      y: spread.map((three) => three[0] ?? null),
      low: spread.map((three) => three[1] ?? null),
      high: spread.map((three) => three[2] ?? null),
      colour: at + shift,
    };
  });
  return [...means, ...single(true)];
}

function DetailPart({ item }: { item: WorkSummary }) {
  const { answer, problem } = useAnswer<Detail>(`${item.id} ${item.changed} ${item.standing}`, (signal) =>
    get("work", { id: item.id }, signal),
    item.id,
  );
  const [isOpen, setOpen] = useState(false);
  useEffect(() => setOpen(false), [item.id]);
  if (!answer) return <Notice problem={problem} />;
  return (
    <>
      <Notice problem={problem} />
      <Results detail={answer} id={item.id} />
      {answer.settings && (
        <details class="panel" open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
          <summary>Settings file</summary>
          <pre tabIndex={0}>{answer.settings}</pre>
        </details>
      )}
    </>
  );
}
