// Small components that several views share.
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { copy } from "./download";
import { duration, elo, whole } from "./format";
import { go } from "./route";
import { useKnown } from "./store";
import type { Choice, WorkSummary, ModelName, Progress, Standing } from "./types";

const STANDINGS: Record<Standing, [string, string]> = {
  unread: ["…", "reading"],
  running: ["●", "running"],
  finished: ["✓", "finished"],
  interrupted: ["❚❚", "interrupted"],
  unknown: ["?", "state unknown"],
  broken: ["✕", "cannot be read"],
};

export function Badge({ standing }: { standing: Standing }) {
  const [sign, words] = STANDINGS[standing];
  return (
    <span class={`badge ${standing}`}>
      <span aria-hidden="true">{sign}</span> {words}
    </span>
  );
}

export function Notice({ problem }: { problem: string | null }) {
  return problem ? (
    <p class="notice" role="alert">
      {problem}
    </p>
  ) : null;
}

export function CopyButton({ text, children }: { text: string; children: ComponentChildren }) {
  const [done, setDone] = useState("");
  return (
    <button
      type="button"
      class="small"
      onClick={async () => {
        setDone((await copy(text)) ? "copied" : "copy failed");
        setTimeout(() => setDone(""), 1500);
      }}
    >
      {done || children}
    </button>
  );
}

/** Selects the work that a view shows. */
export function WorkPicker({ view, id, kinds }: { view: string; id: string | undefined; kinds?: string[] }) {
  const works = [...(useKnown().works?.values() ?? [])].filter((item) => !kinds || kinds.includes(item.kind));
  return (
    <label class="picker">
      <span>Work</span>
      <select value={id ?? ""} onChange={(event) => go(view, { id: event.currentTarget.value })}>
        <option value="" disabled>
          choose a run, study, …
        </option>
        {works.map((item) => (
          <option key={item.id} value={item.id}>
            {item.id}
          </option>
        ))}
      </select>
    </label>
  );
}

/** The work with this name, or the newest one if no name is given. */
export function useWork(id: string | undefined): WorkSummary | undefined {
  const works = useKnown().works;
  if (!works) return undefined;
  if (id) return works.get(id);
  return [...works.values()].sort((one, other) => other.changed - one.changed)[0];
}

export function ProgressLine({ progress }: { progress: Progress }) {
  const share = progress.of > 0 ? Math.min(1, progress.done / progress.of) : 0;
  return (
    <div class="progress-line">
      <span>
        <strong>
          {progress.arm}, seed {progress.seed}, generation {progress.generation}
        </strong>
        : {progress.step}
        {progress.of > 0 && (
          <>
            {" "}
            · {whole(progress.done)} of {whole(progress.of)} {progress.unit}
          </>
        )}
        {progress.loss !== null && <> · loss {progress.loss.toFixed(5)}</>}
        {progress.elo && <> · {elo(progress.elo)} Elo</>}
      </span>
      <progress value={share} max={1} aria-label="Progress of the step" />
    </div>
  );
}

export function timeLeft(item: WorkSummary): string {
  if (item.standing !== "running") return "";
  return item.seconds_left === null ? "not yet known" : `about ${duration(item.seconds_left)}`;
}

export function sameModel(one: ModelName, other: ModelName): boolean {
  return one.work === other.work && one.file === other.file;
}

/** Selects one of all models in the folder. */
export function ModelPicker({
  choices,
  value,
  onChange,
  label = "Model",
}: {
  choices: Choice[];
  value: ModelName;
  onChange: (model: ModelName) => void;
  label?: string;
}) {
  const groups = new Map<string, Choice[]>();
  for (const choice of choices) groups.set(choice.group, [...(groups.get(choice.group) ?? []), choice]);
  const at = choices.findIndex((choice) => sameModel(choice.model, value));
  return (
    <label class="picker">
      <span>{label}</span>
      <select
        value={String(at)}
        onChange={(event) => {
          const chosen = choices[Number(event.currentTarget.value)];
          if (chosen) onChange(chosen.model);
        }}
      >
        {at < 0 && <option value="-1">{value.file}</option>}
        {[...groups].map(([group, members]) => (
          <optgroup key={group} label={group}>
            {members.map((choice) => (
              <option key={choice.name} value={String(choices.indexOf(choice))}>
                {choice.name}
              </option>
            ))}
          </optgroup>
        ))}
      </select>
    </label>
  );
}

/** A column title: `#` in front for columns of numbers, in brackets if only for screen readers. */
function Title({ text }: { text: string }) {
  const hidden = /^\((.*)\)$/.exec(text)?.[1];
  if (hidden) {
    return (
      <th scope="col">
        <span class="visually-hidden">{hidden}</span>
      </th>
    );
  }
  return (
    <th scope="col" class={text.startsWith("#") ? "number" : ""}>
      {text.replace(/^#/, "")}
    </th>
  );
}

/** A table with column titles that scrolls sideways if it is too wide. */
export function Table({ label, titles, children }: { label: string; titles: string[]; children: ComponentChildren }) {
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={label}>
      <table>
        <thead>
          <tr>
            {titles.map((title) => (
              <Title key={title} text={title} />
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}
