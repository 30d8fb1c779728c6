// What the page knows about the folder, kept up to date by the event stream.
import { useEffect, useState } from "preact/hooks";
import { get, listen } from "./api";
import type { WorkSummary, Progress } from "./types";

interface Known {
  /** Undefined before the first response. */
  works: Map<string, WorkSummary> | null;
  progress: Map<string, Progress>;
  /** Number of events about the cluster of each work. */
  clusters: Map<string, number>;
}

const known: Known = { works: null, progress: new Map(), clusters: new Map() };
const subscribers = new Set<() => void>();
let isAnnounced = false;

/** Notifies all subscribers, at most once per animation frame. */
function announce() {
  if (isAnnounced) return;
  isAnnounced = true;
  requestAnimationFrame(() => {
    isAnnounced = false;
    for (const subscriber of [...subscribers]) subscriber();
  });
}

async function refresh() {
  const works = await get<WorkSummary[]>("works");
  known.works = new Map(works.map((item) => [item.id, item]));
  announce();
}

/** Starts following the folder. */
export function follow(): void {
  listen((news) => {
    switch (news.news) {
      case "work":
        known.works?.set(news.item.id, news.item);
        if (news.item.standing !== "running") known.progress.delete(news.item.id);
        announce();
        break;
      case "gone":
        known.works?.delete(news.id);
        known.progress.delete(news.id);
        announce();
        break;
      case "progress":
        known.progress.set(news.id, news.progress);
        announce();
        break;
      case "cluster":
        known.clusters.set(news.id, (known.clusters.get(news.id) ?? 0) + 1);
        announce();
        break;
      case "refresh":
        void refresh().catch(() => undefined);
        break;
      case "thought":
        break;
    }
  });
  void refresh().catch(() => undefined);
}

/** The store as a hook: the component is drawn again whenever it changes. */
export function useKnown(): Known {
  const [, draw] = useState(0);
  useEffect(() => {
    const subscriber = () => draw((count) => count + 1);
    subscribers.add(subscriber);
    return () => {
      subscribers.delete(subscriber);
    };
  }, []);
  return known;
}

/**
 * A response that is requested again whenever `key` changes. The old one stays until then if it is
 * about the same `subject`, such as a run.
 */
export function useAnswer<T>(
  key: string | null,
  ask: (signal: AbortSignal) => Promise<T>,
  subject: string | undefined = undefined,
): { answer: T | null; problem: string | null } {
  const nothing = { answer: null as T | null, problem: null as string | null, subject };
  const [state, setState] = useState(nothing);
  useEffect(() => {
    if (key === null) {
      setState(nothing);
      return;
    }
    const abort = new AbortController();
    ask(abort.signal).then(
      (answer) => !abort.signal.aborted && setState({ answer, problem: null, subject }),
      (error: unknown) => {
        if (abort.signal.aborted) return;
        const problem = error instanceof Error ? error.message : String(error);
        setState((old) => ({ answer: old.subject === subject ? old.answer : null, problem, subject }));
      },
    );
    return () => abort.abort();
  }, [key]);
  return state.subject === subject ? state : nothing;
}
