// The current view: the part of the address after the hash, such as `#/games?id=runs/a`.
import { useEffect, useState } from "preact/hooks";

export interface Route {
  view: string;
  words: Record<string, string>;
}

function parse(): Route {
  const [path, query] = location.hash.replace(/^#\/?/, "").split("?");
  return {
    view: path || "runs",
    words: Object.fromEntries(new URLSearchParams(query ?? "")),
  };
}

export function link(view: string, words: Record<string, string | undefined> = {}): string {
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries(words)) if (value) query.set(key, value);
  const text = query.toString().replaceAll("%2F", "/");
  return `#/${view}${text ? `?${text}` : ""}`;
}

export function go(view: string, words: Record<string, string | undefined> = {}): void {
  location.hash = link(view, words);
}

/** Changes the address without a new entry in the history. */
export function replace(view: string, words: Record<string, string | undefined> = {}): void {
  history.replaceState(null, "", link(view, words));
  dispatchEvent(new HashChangeEvent("hashchange"));
}

export function useRoute(): Route {
  const [route, setRoute] = useState(parse);
  useEffect(() => {
    const changed = () => setRoute(parse());
    addEventListener("hashchange", changed);
    return () => removeEventListener("hashchange", changed);
  }, []);
  return route;
}
