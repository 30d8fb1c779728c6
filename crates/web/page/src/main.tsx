// The frame of the page: navigation, light or dark mode, state of the connection.
import { render } from "preact";
import { useEffect, useState } from "preact/hooks";
import { connect, get, watchConnection } from "./api";
import { link, useRoute } from "./route";
import { follow, useAnswer } from "./store";
import type { About } from "./types";
import { Data } from "./views/data";
import { Games } from "./views/games";
import { Inside } from "./views/inside";
import { Learning } from "./views/learning";
import { Play } from "./views/play";
import { Runs } from "./views/runs";
import "uplot/dist/uPlot.min.css";
import "@lichess-org/chessground/assets/chessground.base.css";
import "@lichess-org/chessground/assets/chessground.brown.css";
import "@lichess-org/chessground/assets/chessground.cburnett.css";
import "./style.css";

const VIEWS = [
  ["runs", "Runs"],
  ["learning", "Learning"],
  ["games", "Games"],
  ["play", "Play"],
  ["inside", "Inside a model"],
  ["data", "Data"],
] as const;

type Theme = "light" | "dark";

function usualTheme(): Theme {
  const kept = localStorage.getItem("theme");
  if (kept === "light" || kept === "dark") return kept;
  return matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
}

function ThemeButton() {
  const [theme, setTheme] = useState<Theme>(usualTheme);
  useEffect(() => {
    document.documentElement.dataset.theme = theme;
    dispatchEvent(new Event("themechange"));
  }, [theme]);
  const other = theme === "dark" ? "light" : "dark";
  return (
    <button
      class="quiet"
      type="button"
      aria-label={`Switch to ${other} colours`}
      title={`Switch to ${other} colours`}
      onClick={() => {
        localStorage.setItem("theme", other);
        setTheme(other);
      }}
    >
      {theme === "dark" ? "☀" : "☾"}
    </button>
  );
}

function Connection() {
  const [connected, setConnected] = useState(true);
  useEffect(() => watchConnection(setConnected), []);
  return (
    <span class={`connection ${connected ? "good" : "bad"}`} role="status">
      {connected ? "live" : "disconnected"}
    </span>
  );
}

function View({ view, words }: { view: string; words: Record<string, string> }) {
  switch (view) {
    case "runs":
      return <Runs words={words} />;
    case "learning":
      return <Learning words={words} />;
    case "games":
      return <Games words={words} />;
    case "play":
      return <Play words={words} />;
    case "inside":
      return <Inside words={words} />;
    case "data":
      return <Data words={words} />;
    default:
      return (
        <p>
          There is no such view. <a href={link("runs")}>Back to all runs</a>
        </p>
      );
  }
}

function App() {
  const route = useRoute();
  const { answer: about } = useAnswer<About>("about", (signal) => get("", {}, signal));
  const id = route.words.id;
  useEffect(() => {
    const title = VIEWS.find(([name]) => name === route.view)?.[1] ?? "Tabia";
    document.title = id ? `${title} · ${id} · Tabia` : `${title} · Tabia`;
  }, [route.view, id]);
  return (
    <>
      <a class="skip" href="#content" onClick={(event) => {
        event.preventDefault();
        document.getElementById("content")?.focus();
      }}>
        Skip to the content
      </a>
      <header class="top">
        <a class="brand" href={link("runs")}>
          <img src="/icon.svg" alt="" width="26" height="26" />
          Tabia
        </a>
        <nav aria-label="Views">
          {VIEWS.map(([name, title]) => (
            <a
              key={name}
              href={link(name, name === "runs" ? {} : { id })}
              aria-current={route.view === name ? "page" : undefined}
            >
              {title}
            </a>
          ))}
        </nav>
        <span class="spread" />
        <Connection />
        <ThemeButton />
      </header>
      <main id="content" tabIndex={-1}>
        <View view={route.view} words={route.words} />
      </main>
      <footer>
        {about && (
          <>
            {about.folder} · {about.version}
          </>
        )}
      </footer>
    </>
  );
}

document.documentElement.dataset.theme = usualTheme();
follow();
connect();
const page = document.getElementById("page");
if (page) render(<App />, page);
