// Starts a run from a preset or a file of one's own, with changed keys.
import { useEffect, useRef, useState } from "preact/hooks";
import { get, post } from "../api";
import { Notice } from "../parts";
import { go } from "../route";
import { useAnswer, useKnown } from "../store";
import type { Chosen, Preset } from "../types";

function freeName(wanted: string, taken: Set<string>): string {
  if (!taken.has(wanted)) return wanted;
  let number = 2;
  while (taken.has(`${wanted}-${number}`)) number += 1;
  return `${wanted}-${number}`;
}

export function StartDialog({ onClose }: { onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const { works } = useKnown();
  const { answer: presets } = useAnswer<Preset[]>("presets", (signal) => get("presets", {}, signal));
  const [preset, setPreset] = useState("quickstart");
  const [own, setOwn] = useState(false);
  const [text, setText] = useState("");
  const [set, setSet] = useState("");
  const [concurrency, setConcurrency] = useState("");
  const [name, setName] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  useEffect(() => dialog.current?.showModal(), []);
  const chosen = presets?.find((known) => known.name === preset);
  const taken = new Set([...(works?.values() ?? [])].map((item) => item.name));
  const shownName = name ?? freeName(preset, taken);
  const start = async (event: Event) => {
    event.preventDefault();
    setBusy(true);
    setProblem(null);
    try {
      const begun = await post<Chosen>("run/start", {
        name: shownName,
        preset: own ? null : preset,
        text: own ? text : null,
        set: set.split("\n").map((line) => line.trim()).filter((line) => line),
        concurrency: concurrency ? Number(concurrency) : null,
      });
      onClose();
      go("learning", { id: begun.id });
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
      setBusy(false);
    }
  };
  return (
    <dialog ref={dialog} onClose={onClose} aria-labelledby="start-title">
      <form onSubmit={start}>
        <h2 id="start-title">Start a run</h2>
        <label class="field">
          Preset
          <select
            value={preset}
            onChange={(event) => {
              setPreset(event.currentTarget.value);
              setOwn(false);
              // The text is that of the preset before.
              setText("");
            }}
          >
            {presets?.map((known) => (
              <option key={known.name} value={known.name}>
                {known.name}
              </option>
            ))}
          </select>
        </label>
        <p class="hint">{chosen?.summary}</p>
        <label class="field inline">
          <input
            type="checkbox"
            checked={own}
            onChange={(event) => {
              setOwn(event.currentTarget.checked);
              if (!text) setText(chosen?.text ?? "");
            }}
          />
          Edit the run file
        </label>
        {own && (
          <label class="field">
            Run file
            <textarea rows={12} spellcheck={false} value={text} onInput={(event) => setText(event.currentTarget.value)} />
          </label>
        )}
        <label class="field">
          Changed keys, one per line
          <textarea rows={3} spellcheck={false} placeholder={"generations=8\nselfplay.nodes=400"} value={set} onInput={(event) => setSet(event.currentTarget.value)} />
        </label>
        <div class="fields">
          <label class="field">
            Name
            <input required value={shownName} pattern="[A-Za-z0-9_\-][A-Za-z0-9._\-]*" onInput={(event) => setName(event.currentTarget.value)} />
          </label>
          <label class="field">
            Threads
            <input type="number" min={1} max={256} placeholder="all" value={concurrency} onInput={(event) => setConcurrency(event.currentTarget.value)} />
          </label>
        </div>
        <Notice problem={problem} />
        <div class="buttons">
          <button type="button" onClick={() => dialog.current?.close()}>
            Cancel
          </button>
          <button type="submit" class="primary" disabled={busy}>
            {busy ? "Starting …" : "Start"}
          </button>
        </div>
      </form>
    </dialog>
  );
}
