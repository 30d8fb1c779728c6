// Requests to the server, and its single stream of events.
import type { ServerEvent } from "./types";

/** The error message of a failed request. */
export class Problem extends Error {}

async function read<T>(response: Response): Promise<T> {
  const text = await response.text();
  if (!response.ok) {
    let words = text.trim();
    try {
      words = (JSON.parse(text) as { problem: string }).problem;
    } catch {
      // The body is plain text, which is the message.
    }
    throw new Problem(words || `the server returned HTTP status ${response.status}`);
  }
  return JSON.parse(text) as T;
}

type Words = Record<string, string | number | null | undefined>;

export function address(path: string, words: Words = {}): string {
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries(words)) {
    if (value !== undefined && value !== null && value !== "") query.set(key, String(value));
  }
  const text = query.toString();
  return text ? `/api/${path}?${text}` : `/api/${path}`;
}

export async function get<T>(path: string, words: Words = {}, signal?: AbortSignal): Promise<T> {
  return read<T>(await fetch(address(path, words), { signal }));
}

export async function post<T>(path: string, body: unknown, signal?: AbortSignal): Promise<T> {
  return read<T>(
    await fetch(`/api/${path}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
      signal,
    }),
  );
}

type Listener = (news: ServerEvent) => void;
const listeners = new Set<Listener>();
let isConnected = false;
const watchers = new Set<(connected: boolean) => void>();

/** Subscribes to events until the returned function is called. */
export function listen(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Subscribes to the state of the connection. */
export function watchConnection(watcher: (connected: boolean) => void): () => void {
  watchers.add(watcher);
  watcher(isConnected);
  return () => watchers.delete(watcher);
}

function setConnected(connected: boolean) {
  isConnected = connected;
  for (const watcher of watchers) watcher(connected);
}

/** Opens the stream; the browser reconnects when it breaks. */
export function connect(): void {
  const source = new EventSource("/api/stream");
  source.onopen = () => setConnected(true);
  source.onerror = () => {
    setConnected(false);
    // A browser stops reconnecting once a server refuses; a page that was asleep should not.
    if (source.readyState === EventSource.CLOSED) {
      source.close();
      setTimeout(connect, 3000);
    }
  };
  source.onmessage = (message) => {
    const news = JSON.parse(message.data as string) as ServerEvent;
    for (const listener of [...listeners]) listener(news);
  };
}
