// A table of all work in the folder: search, sort, compare, start and stop.
import { useMemo, useState } from "preact/hooks";
import { address, post } from "../api";
import { ago, bytes, duration, elo, percent } from "../format";
import { Badge, Notice, timeLeft } from "../parts";
import { go, link } from "../route";
import { useKnown } from "../store";
import type { WorkSummary, Progress } from "../types";
import { StartDialog } from "./start";

type Column = "name" | "standing" | "progress" | "elo" | "cost" | "left" | "changed";

const COLUMNS: [Column, string][] = [
  ["name", "Name"],
  ["standing", "State"],
  ["progress", "Progress"],
  ["elo", "Latest Elo"],
  ["cost", "Cost so far"],
  ["left", "Time left"],
  ["changed", "Changed"],
];

function key(item: WorkSummary, column: Column): number | string {
  switch (column) {
    case "name":
      return item.id;
    case "standing":
      return ["running", "interrupted", "broken", "unread", "unknown", "finished"].indexOf(item.standing);
    case "progress":
      return item.of ? item.done / item.of : 0;
    case "elo":
      return item.elo?.value ?? -Infinity;
    case "cost":
      return item.seconds ?? -1;
    case "left":
      return item.seconds_left ?? Infinity;
    case "changed":
      return -item.changed;
  }
}

function matches(item: WorkSummary, words: string): boolean {
  const text = [item.id, item.kind, item.title ?? "", item.standing, ...item.tags, ...item.arms].join(" ").toLowerCase();
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

const MOST_ROWS = 200;

export function Runs({ words }: { words: Record<string, string> }) {
  const { works, progress } = useKnown();
  const [filter, setFilter] = useState(words.filter ?? "");
  const [standing, setStanding] = useState("");
  const [sort, setSort] = useState<{ by: Column; down: boolean }>({ by: "changed", down: false });
  const [chosen, setChosen] = useState<Set<string>>(new Set());
  const [starting, setStarting] = useState(false);
  const [shown, setShown] = useState(MOST_ROWS);
  const all = [...(works?.values() ?? [])];
  const found = useMemo(() => {
    const list = all.filter((item) => (!standing || item.standing === standing) && (!filter || matches(item, filter)));
    const sign = sort.down ? -1 : 1;
    return list.sort((one, other) => {
      const [a, b] = [key(one, sort.by), key(other, sort.by)];
      return sign * (a < b ? -1 : a > b ? 1 : one.id.localeCompare(other.id));
    });
  }, [all, filter, standing, sort]);
  const choose = (id: string, on: boolean) => {
    const next = new Set(chosen);
    if (on) next.add(id);
    else next.delete(id);
    setChosen(next);
  };
  return (
    <>
      <div class="bar">
        <h1>Runs</h1>
        <label>
          <span class="visually-hidden">Filter</span>
          <input type="search" placeholder="Filter by name, kind, tag …" value={filter} onInput={(event) => setFilter(event.currentTarget.value)} />
        </label>
        <label>
          <span class="visually-hidden">State</span>
          <select value={standing} onChange={(event) => setStanding(event.currentTarget.value)}>
            <option value="">every state</option>
            {["running", "interrupted", "finished", "unknown", "broken"].map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
        <span class="spread" />
        {chosen.size > 1 && (
          <button type="button" onClick={() => go("learning", { id: [...chosen][0], with: [...chosen].slice(1).join(",") })}>
            Compare {chosen.size}
          </button>
        )}
        <button type="button" class="primary" onClick={() => setStarting(true)}>
          Start a run
        </button>
      </div>
      {starting && <StartDialog onClose={() => setStarting(false)} />}
      {works === null && <p class="empty">Reading the folder …</p>}
      {works?.size === 0 && (
        <div class="panel welcome">
          <h2>Nothing here yet</h2>
          <p>
            This folder contains no runs. Start one here, or in a terminal: <code>tabia run quickstart</code> trains two small nets by self-play in minutes. You can also <a href={link("play")}>play against the built-in net</a>.
          </p>
        </div>
      )}
      {found.length > 0 && (
        <table class="works">
          <thead>
            <tr>
              <th scope="col">
                <span class="visually-hidden">Compare</span>
              </th>
              {COLUMNS.map(([name, title]) => (
                <th key={name} scope="col" aria-sort={sort.by === name ? (sort.down ? "descending" : "ascending") : undefined}>
                  <button type="button" class="sort" onClick={() => setSort({ by: name, down: sort.by === name && !sort.down })}>
                    {title}
                    <span aria-hidden="true">{sort.by === name ? (sort.down ? " ↓" : " ↑") : ""}</span>
                  </button>
                </th>
              ))}
              <th scope="col">Actions</th>
            </tr>
          </thead>
          <tbody>
            {found.slice(0, shown).map((item) => (
              <Row key={item.id} item={item} progress={progress.get(item.id)} chosen={chosen.has(item.id)} onChoose={choose} />
            ))}
          </tbody>
        </table>
      )}
      {found.length > shown && (
        <button type="button" onClick={() => setShown(shown + MOST_ROWS)}>
          Show more ({found.length - shown})
        </button>
      )}
      {works && works.size > 0 && found.length === 0 && <p class="empty">Nothing matches this filter.</p>}
    </>
  );
}

function share(item: WorkSummary, progress: Progress | undefined): number {
  if (item.of === 0) return 0;
  const within = progress && progress.of > 0 ? (progress.done / progress.of) * 0.5 : 0;
  return Math.min(1, (item.done + within) / item.of);
}

function Row({
  item,
  progress,
  chosen,
  onChoose,
}: {
  item: WorkSummary;
  progress: Progress | undefined;
  chosen: boolean;
  onChoose: (id: string, on: boolean) => void;
}) {
  return (
    <tr data-id={item.id} class={item.standing}>
      <td class="check">
        <input
          type="checkbox"
          aria-label={`Compare ${item.id}`}
          checked={chosen}
          onChange={(event) => onChoose(item.id, event.currentTarget.checked)}
        />
      </td>
      <td data-label="Name" class="name">
        <a href={link("learning", { id: item.id })}>{item.name}</a>
        <span class="kind">{item.kind}</span>
        {item.tags.map((tag) => (
          <span key={tag} class="tag">
            {tag}
          </span>
        ))}
        {item.title && <div class="title">{item.title}</div>}
        {item.problem && <div class="title problem">{item.problem}</div>}
      </td>
      <td data-label="State">
        <Badge standing={item.standing} />
        {item.ruling && <div class="title">{item.ruling}</div>}
      </td>
      <td data-label="Progress" class="progress">
        <div>
          {item.done}
          {item.of > 0 && ` of ${item.of}`} {item.unit}
        </div>
        {item.of > 0 && <progress value={share(item, progress)} max={1} aria-label="Progress" />}
        <div class="title">
          {progress ? `${progress.arm}, seed ${progress.seed}: ${progress.step}` : item.arms.length > 0 ? `${item.arms.join(", ")}${item.seeds > 1 ? ` · ${item.seeds} seeds` : ""}` : ""}
          {progress && progress.of > 0 && ` ${percent(progress.done / progress.of)}`}
        </div>
      </td>
      <td data-label="Latest Elo">
        <span class="number">{elo(item.elo)}</span>
        {item.elo_of && <div class="title">{item.elo_of}</div>}
      </td>
      <td data-label="Cost so far">
        {duration(item.seconds)}
        <div class="title">{bytes(item.bytes)}</div>
      </td>
      <td data-label="Time left">{timeLeft(item)}</td>
      <td data-label="Changed">{item.changed ? ago(item.changed) : ""}</td>
      <td data-label="Actions" class="actions">
        <Actions item={item} />
      </td>
    </tr>
  );
}

/** The actions available for a work. */
export function Actions({ item }: { item: WorkSummary }) {
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const [editing, setEditing] = useState(false);
  const act = async (path: string, body: unknown) => {
    setBusy(true);
    setProblem(null);
    try {
      await post(path, body);
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
    }
    setBusy(false);
  };
  return (
    <>
      {item.standing === "running" && item.kind !== "training" && (
        <button type="button" class="small" disabled={busy} onClick={() => act("run/stop", { id: item.id })}>
          Stop
        </button>
      )}
      {item.standing === "interrupted" && item.kind !== "training" && (
        <button type="button" class="small" disabled={busy} onClick={() => act("run/resume", { id: item.id })}>
          Resume
        </button>
      )}
      <button type="button" class="small" aria-expanded={editing} onClick={() => setEditing(!editing)}>
        Tags
      </button>
      <a class="button small" href={address("export", { id: item.id })} download>
        Export
      </a>
      {item.standing !== "running" && (
        <button
          type="button"
          class="small danger"
          disabled={busy}
          onClick={() => {
            if (confirm(`Delete ${item.id} with everything in it? This cannot be undone.`)) {
              void act("run/delete", { id: item.id, confirm: item.id });
            }
          }}
        >
          Delete
        </button>
      )}
      {editing && <TagEditor item={item} onSave={(tags) => act("run/tags", { id: item.id, tags }).then(() => setEditing(false))} />}
      <Notice problem={problem} />
    </>
  );
}

function TagEditor({ item, onSave }: { item: WorkSummary; onSave: (tags: string[]) => void }) {
  const [text, setText] = useState(item.tags.join(", "));
  return (
    <form
      class="tag-editor"
      onSubmit={(event) => {
        event.preventDefault();
        onSave(text.split(",").map((tag) => tag.trim()).filter((tag) => tag));
      }}
    >
      <label>
        <span class="visually-hidden">Tags, separated by commas</span>
        <input value={text} placeholder="baseline, small" onInput={(event) => setText(event.currentTarget.value)} />
      </label>
      <button type="submit" class="small">
        Save
      </button>
    </form>
  );
}
