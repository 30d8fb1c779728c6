// The page in a real browser: a miniature run is watched from its start to its end, a game
// replayed, a heat map changed, a whole game played, a run stopped and resumed; at the width
// of a desk and of a phone, with the keyboard alone where that is said, and without one
// error in the console.
//
// The program is named by TABIA, the browser by CHROMIUM (chromium by default). Screenshots
// go to the folder that SCREENSHOTS names.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";

const program = process.env.TABIA ?? "tabia";
const browserPath = process.env.CHROMIUM ?? ["/usr/bin/chromium", "/usr/bin/chromium-browser"].find(existsSync) ?? "chromium";
const screenshots = process.env.SCREENSHOTS;
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** How long anything may take that is waited for; the machine may be busy. */
const PATIENCE = 60_000;

const folder = mkdtempSync(join(tmpdir(), "tabia-page-"));
const errors = [];
let step = "beginning";

function say(words) {
  step = words;
  console.log(`- ${words}`);
}

/** Starts the server; its address. */
async function serve() {
  const server = spawn(program, ["serve", folder, "--port", "0"], { stdio: ["ignore", "pipe", "inherit"] });
  const url = await new Promise((resolve, reject) => {
    server.stdout.once("data", (data) => resolve(String(data).trim()));
    server.once("exit", (code) => reject(new Error(`the server ended with ${code}`)));
  });
  return { server, url };
}

async function newPage(browser, width, colorScheme) {
  const context = await browser.newContext({
    viewport: { width, height: width > 600 ? 860 : 740 },
    colorScheme,
    reducedMotion: "reduce",
    acceptDownloads: true,
  });
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE);
  page.on("console", (message) => {
    if (message.type() === "error") errors.push(`${step}: ${message.text()}`);
  });
  page.on("pageerror", (error) => errors.push(`${step}: ${error.message}`));
  return page;
}

/** Nothing may stick out, and nothing may be out of reach for some people. */
async function inspect(page, name) {
  const beyond = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  assert.ok(beyond <= 0, `${name} is ${beyond} pixels too wide`);
  // A policy without foreign scripts holds for us, too: the debugger's road is open.
  const found = await page.evaluate(`${axe}; axe.run(document, { resultTypes: ["violations"] })`);
  const serious = found.violations.filter((one) => one.impact === "serious" || one.impact === "critical");
  assert.deepEqual(
    serious.map((one) => `${one.id}: ${one.nodes[0].html.slice(0, 160)}`),
    [],
    `${name} is not accessible`,
  );
  if (screenshots) {
    mkdirSync(screenshots, { recursive: true });
    await page.screenshot({ path: join(screenshots, `${name}.png`), fullPage: true });
  }
}

async function points(page, title) {
  const chart = page.locator("figure.chart", { hasText: title });
  if ((await chart.count()) === 0) return 0;
  return Number(await chart.first().getAttribute("data-points"));
}

async function until(condition, words) {
  const begin = Date.now();
  while (Date.now() - begin < PATIENCE) {
    if (await condition()) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`in vain: ${words}`);
}

const SETTINGS = [
  "generations=3",
  "seeds=[1,2]",
  "selfplay.nodes=40",
  "selfplay.positions=700",
  "train.positions=6000",
  "train.batch=64",
  "gate.games=6",
  "gate.nodes=40",
  "verdict.games=4",
];

async function startRun(page, url) {
  say("a run is started on the page");
  await page.goto(url);
  await page.getByText("Nothing here yet").waitFor();
  await page.getByRole("button", { name: "Start a run" }).click();
  const dialog = page.getByRole("dialog");
  const edit = dialog.getByLabel("Edit the run file");
  const text = dialog.getByLabel("Run file", { exact: true });
  await edit.check();
  const quickstart = await text.inputValue();
  await dialog.getByLabel("Preset").selectOption("treestrap");
  await edit.check();
  const treestrap = await text.inputValue();
  assert.ok(quickstart.length > 100 && treestrap.includes("treestrap") && treestrap !== quickstart);
  await inspect(page, "start-1280");
  await dialog.getByLabel("Preset").selectOption("quickstart");
  await dialog.getByLabel("Changed keys").fill('selfplay.book="/etc/passwd"');
  await dialog.getByLabel("Name").fill("mini");
  await dialog.getByRole("button", { name: "Start", exact: true }).click();
  await dialog.getByRole("alert").filter({ hasText: "only files in the folder" }).waitFor();
  await dialog.getByLabel("Changed keys").fill("generations=none");
  await dialog.getByLabel("Name").fill("mini");
  await dialog.getByRole("button", { name: "Start", exact: true }).click();
  await dialog.getByRole("alert").waitFor();
  await dialog.getByLabel("Changed keys").fill(SETTINGS.join("\n"));
  await dialog.getByLabel("Threads").fill("1");
  await dialog.getByRole("button", { name: "Start", exact: true }).click();
  await page.getByRole("heading", { name: "mini" }).waitFor();
  assert.ok(existsSync(join(folder, "runs/mini/run.toml")));
  // The refused start is an answer with an error, which browsers note.
  const noted = errors.splice(0).filter((error) => !error.includes("400 (Bad Request)"));
  errors.push(...noted);
}

async function watchRun(page) {
  say("it is stopped and resumed");
  const badge = page.locator("h1 ~ .badge");
  await badge.filter({ hasText: "running" }).waitFor();
  await page.getByRole("button", { name: "Stop" }).click();
  await badge.filter({ hasText: "interrupted" }).waitFor();
  assert.ok(!existsSync(join(folder, "runs/mini/worker.pid")));
  await page.getByRole("button", { name: "Resume" }).click();
  await badge.filter({ hasText: "running" }).waitFor();

  say("its curves grow");
  const title = "Elo above generation 0";
  const seen = new Set();
  await until(async () => {
    seen.add(await points(page, title));
    return (await badge.textContent()).includes("finished");
  }, "the end of the run");
  await until(async () => {
    seen.add(await points(page, title));
    return seen.has(24) || Math.max(...seen) >= 12;
  }, "all points");
  assert.ok([...seen].filter((count) => count > 0).length >= 2, `points seen: ${[...seen]}`);
  await page.locator("figure.chart canvas").first().waitFor();
}

async function learning(page, width) {
  say(`curves and results, ${width} pixels`);
  await page.getByRole("heading", { name: "Rating list" }).waitFor();
  await page.getByRole("heading", { name: "Crosstable" }).waitFor();
  const rows = page.getByRole("region", { name: "Rating list" }).locator("tbody tr");
  const promoted = await rows.count();
  await page.getByLabel("rejected nets, too").check();
  assert.ok((await rows.count()) >= promoted && promoted > 0);
  const [saved] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "CSV" }).first().click()]);
  const csv = readFileSync(await saved.path(), "utf8");
  assert.match(csv, /^line,generation,value,low,high\n.*control/);
  const [picture] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "SVG" }).first().click()]);
  assert.match(readFileSync(await picture.path(), "utf8"), /^<svg .*polyline/s);
  await inspect(page, `learning-${width}`);
}

/** A note as a coordinator leaves it, of a cluster with many workers. */
function noteCluster() {
  const workers = Array.from({ length: 40 }, (_, at) => ({
    name: `worker-${at}`,
    threads: at === 3 ? 0 : 2,
    speed: 700_000,
    units: 1,
    pieces: 1000 - at,
    seconds: 12.5,
    confirmed: 2,
    failures: at === 5 ? 7 : 0,
    troubles: 0,
    objection: at === 5 ? "<b>wrong results</b>" : null,
  }));
  const noted = new Date(Date.now() - 3_600_000).toISOString();
  const sums = { kinds: ["selfplay"], queued: 3, open: 9, pieces: 39_220, confirmed: 1, duplicates: 0, lost: 1, known: 40, present: 39, threads: 78 };
  writeFileSync(join(folder, "runs/mini/cluster.json"), JSON.stringify({ begun: noted, noted, ended: true, ...sums, workers }));
}

async function cluster(page, width) {
  say(`the workers of a cluster, ${width} pixels`);
  const part = page.getByRole("region", { name: "Cluster" });
  await part.getByText("last update 1 h ago").waitFor();
  await part.getByText("39 of 40, 78 threads").waitFor();
  await part.getByText("1 unit computed twice with equal results").waitFor();
  await part.getByText("1 lost unit requeued, 0 duplicate results ignored").waitFor();
  await part.getByText("banned: <b>wrong results</b>").waitFor();
  const rows = part.locator("tbody tr");
  assert.equal(await rows.count(), 25);
  await part.getByRole("button", { name: "Show all 40 workers" }).click();
  await until(async () => (await rows.count()) === 40, "all workers");
}

/** A training that was stopped, without games and positions. */
function noteTraining() {
  const training = join(folder, "trainings/stopped");
  mkdirSync(training, { recursive: true });
  const numbers = { loss: 0.5, validation_loss: 0.25, hr_10: 0.75, mrr: 0.5 };
  const lines = Array.from({ length: 57 }, (_, at) => JSON.stringify({ epoch: at + 1, ...numbers, net: "none" }));
  writeFileSync(join(training, "metrics.jsonl"), lines.join("\n") + "\n");
  writeFileSync(join(training, "training.json"), JSON.stringify({ epochs: 4000, seconds: 90, finished: false }));
}

async function otherWork(page, url, width) {
  say(`another work is chosen in every view, ${width} pixels`);
  const picker = page.locator("label.picker", { hasText: "Work" }).locator("select");
  const hash = () => page.evaluate(() => decodeURIComponent(location.hash));
  for (const [view, shown, nothing] of [
    ["games", ".ply", "No games were saved."],
    ["data", ".leaf cg-board", "No positions were saved."],
  ]) {
    await page.goto(`${url}#/${view}?id=runs/mini`);
    await page.locator(shown).first().waitFor();
    await picker.selectOption("trainings/stopped");
    await page.getByText(nothing).waitFor();
    assert.equal(await hash(), `#/${view}?id=trainings/stopped`);
    await picker.selectOption("runs/mini");
    await page.locator(shown).first().waitFor();
    await page.goto(`${url}#/${view}?id=trainings/stopped&file=nothing/journal.jsonl`);
    await page.getByText(nothing).waitFor();
    await until(async () => (await hash()) === `#/${view}?id=trainings/stopped`, "an address without the file");
  }
  await page.goto(`${url}#/learning?id=runs/mini`);
  await page.getByRole("heading", { name: "Rating list" }).waitFor();
  await picker.selectOption("trainings/stopped");
  await page.getByText("57 of 4000 epochs").waitFor();
  await page.locator("h1 ~ .badge").filter({ hasText: "interrupted" }).waitFor();
  const first = page.locator("figure.chart figcaption").first();
  await first.filter({ hasText: "Validation loss" }).waitFor();
  await page.locator(".u-legend").first().getByText("stopped").waitFor();
  await page.getByRole("button", { name: "Hit rate, first 10 by epoch" }).waitFor();
  await inspect(page, `training-${width}`);
}

async function replay(page, url, width) {
  say(`a game is replayed by keyboard, ${width} pixels`);
  await page.goto(`${url}#/games?id=runs/mini`);
  const ply = page.locator(".ply");
  await ply.waitFor();
  const fen = () => page.locator(".replay .board-holder").getAttribute("data-fen");
  const first = await fen();
  await page.keyboard.press("ArrowRight");
  await page.locator('.ply[data-ply="1"]').waitFor();
  const second = await fen();
  assert.notEqual(first, second);
  await page.keyboard.press("ArrowLeft");
  await page.locator('.ply[data-ply="0"]').waitFor();
  assert.equal(await fen(), first);
  await page.keyboard.press("End");
  await until(async () => Number(await ply.getAttribute("data-ply")) > 1, "the end of the game");
  await page.getByLabel("Result").selectOption("1/2-1/2");
  await page.getByText(/of \d+ games|^\d+ games/).first().waitFor();
  await page.getByLabel("Result").selectOption("");
  await page.getByLabel("Opening").fill("E99");
  await page.getByText(/^0 of \d+ games/).first().waitFor();
  await page.getByLabel("Opening").fill("");
  await page.keyboard.press("Escape");
  await page.getByRole("spinbutton", { name: "Seconds" }).fill("1");
  await page.locator('button[aria-label="First position"]').click();
  await page.getByRole("button", { name: "Analyse" }).click();
  await page.locator(".thought li").first().waitFor();
  await inspect(page, `games-${width}`);
}

async function inside(page, url, width) {
  say(`a heat map changes with the slider, ${width} pixels`);
  await page.goto(`${url}#/inside?id=runs/mini`);
  await page.locator(".heat svg").first().waitFor();
  const sum = () => page.locator(".heat svg").first().getAttribute("data-sum");
  const before = await sum();
  const slider = page.locator("#generation");
  const label = page.locator("label.slider", { has: slider });
  await label.getByText(/^Version 3 · \d+ of \d+$/).or(label.getByText(/^Version \d+/)).waitFor();
  await slider.focus();
  await page.keyboard.press("Home");
  await until(async () => (await sum()) !== before, "another heat map");
  const least = await label.textContent();
  const model = () => page.evaluate(() => new URLSearchParams(location.hash.split("?")[1]).get("model"));
  await until(async () => /version-\d+\.tabianet$/.test((await model()) ?? ""), "an address with the model");
  await until(async () => least.includes(`Version ${Number(/version-(\d+)/.exec(await model())?.[1])} `), "the version of the address");
  const named = await model();
  await page.goto(`${url}#/inside?model=classical`);
  await page.getByText("pawns for White").waitFor();
  await until(async () => (await page.locator(".marks span").count()) === 30, "what each man contributes");
  await page.goto(`${url}#/inside?id=runs/mini&model=${named}`);
  await label.getByText(least.trim()).waitFor();
  await page.locator("label.picker", { hasText: "Show" }).locator("select").selectOption("neurons");
  await until(async () => (await page.locator(".heat svg").count()) === 12, "boards of a neuron");
  await page.getByRole("button", { name: "Tree search, 800 visits" }).click();
  await page.locator(".visits tbody tr").first().waitFor();
  await inspect(page, `inside-${width}`);
}

async function data(page, url, width) {
  say(`positions of a shard, ${width} pixels`);
  await page.goto(`${url}#/data?id=runs/mini`);
  await page.locator(".leaf cg-board").first().waitFor();
  assert.ok((await page.locator(".histogram rect").count()) > 20);
  await page.getByRole("button", { name: "Next" }).click();
  await page.getByText(/^7: /).waitFor();
  await inspect(page, `data-${width}`);
}

/** Plays a whole game by the keyboard. The person moves without a plan, so that the net wins. */
async function play(page, url) {
  say("a whole game is played against a net, by keyboard alone");
  await page.goto(`${url}#/play`);
  const status = page.locator(".game-status");
  await page.getByRole("radio", { name: "nodes per move" }).focus();
  await page.getByLabel("Nodes", { exact: true }).fill("1000");
  let moves = 0;
  while (true) {
    await until(async () => ["yours", "over"].includes(await status.getAttribute("data-state")), "a turn");
    if ((await status.getAttribute("data-state")) === "over") break;
    const position = await page.locator(".game .board-holder").getAttribute("data-fen");
    const legal = await legalMoves(url, position);
    await page.getByLabel("Type a move").fill(legal[(moves * 7) % legal.length].san);
    await page.keyboard.press("Enter");
    await until(async () => (await page.locator(".game .board-holder").getAttribute("data-fen")) !== position, "the next position");
    moves += 1;
    assert.ok(moves < 200, "the game does not end");
  }
  const pgn = await page.locator(".pgn").textContent();
  await page.getByRole("radio", { name: "Elo" }).check();
  await page.getByText("from 1320 to 2800").waitFor();
  const search = page.locator("label.picker", { has: page.getByText("Search", { exact: true }) }).locator("select");
  await search.selectOption("sequence");
  await page.getByText("from 800 to 3000").waitFor();
  await search.selectOption("mcts");
  await page.getByText("cannot be given as an Elo").waitFor();
  await inspect(page, "play-1280");
  assert.ok(moves > 3);
  assert.match(pgn, /\[Result "(1-0|0-1|1\/2-1\/2)"\]/);
  return pgn;
}

async function legalMoves(url, fen) {
  const body = JSON.stringify({ game: { start: fen, moves: [] }, white: null, black: null, resigned: null });
  const response = await fetch(`${url}api/position`, { method: "POST", headers: { "content-type": "application/json" }, body });
  return (await response.json()).legal;
}

/** Our own reader of PGN finds every move legal. */
async function checkPgn(pgn) {
  const file = join(folder, "game.pgn");
  writeFileSync(file, pgn);
  const check = spawn(program, ["pgn", "check", file], { stdio: ["ignore", "pipe", "pipe"] });
  const code = await new Promise((resolve) => check.on("exit", resolve));
  assert.equal(code, 0, `the PGN is not legal:\n${pgn}`);
}

async function playOnPhone(page, url) {
  say("a move by finger, a hint and a take-back, 360 pixels");
  await page.goto(`${url}#/play`);
  const status = page.locator(".game-status");
  await page.locator('.game-status[data-state="yours"]').waitFor();
  const board = page.locator(".game cg-board");
  const box = await board.boundingBox();
  const at = (file, rank) => [box.x + (file + 0.5) * (box.width / 8), box.y + (7.5 - rank) * (box.height / 8)];
  await page.mouse.click(...at(4, 1));
  await page.mouse.click(...at(4, 3));
  await until(async () => (await page.locator(".score").textContent().catch(() => "")).includes("e4"), "the move");
  await until(async () => (await status.getAttribute("data-state")) === "yours", "the answer");
  await page.getByRole("button", { name: "Hint" }).click();
  await page.locator(".game svg.cg-shapes line").first().waitFor({ state: "attached" });
  await page.getByRole("button", { name: "Take back" }).click();
  await until(async () => (await page.locator(".score").count()) === 0, "the take-back");
  await until(async () => (await page.locator(".game svg.cg-shapes line").count()) === 0, "a board without the hint");
  await inspect(page, "play-360");
}

async function runs(page, url, width) {
  say(`the table of all work, ${width} pixels`);
  await page.goto(`${url}#/runs`);
  const row = page.locator('tr[data-id="runs/mini"]');
  await row.waitFor();
  assert.match(await row.textContent(), /6|12 of 12|finished/);
  await page.getByPlaceholder(/Filter/).fill("nothing like this");
  await page.getByText("Nothing matches this filter.").waitFor();
  await page.getByPlaceholder(/Filter/).fill("mini");
  await row.waitFor();
  await inspect(page, `runs-${width}`);
}

async function dark(browser, url) {
  say("dark colours");
  const page = await newPage(browser, 1280, "dark");
  await page.goto(`${url}#/learning?id=runs/mini`);
  await page.getByRole("heading", { name: "Rating list" }).waitFor();
  const ground = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  assert.equal(ground, "rgb(16, 23, 29)");
  await inspect(page, "learning-dark-1280");
  await page.getByRole("button", { name: "Switch to light colours" }).click();
  await until(async () => (await page.evaluate(() => getComputedStyle(document.body).backgroundColor)) !== ground, "light colours");
  await page.context().close();
}

async function remove(page, url) {
  say("a run is exported and deleted");
  await page.goto(`${url}#/runs`);
  const row = page.locator('tr[data-id="runs/mini"]');
  const [archive] = await Promise.all([page.waitForEvent("download"), row.getByRole("link", { name: "Export" }).click()]);
  assert.equal(archive.suggestedFilename(), "runs-mini.tar.gz");
  assert.ok(readFileSync(await archive.path()).length > 1000);
  page.once("dialog", (dialog) => void dialog.accept());
  await row.getByRole("button", { name: "Delete" }).click();
  rmSync(join(folder, "trainings"), { recursive: true });
  await page.getByText("Nothing here yet").waitFor();
  await until(() => !existsSync(join(folder, "runs/mini")), "an empty folder");
}

const { server, url } = await serve();
const browser = await chromium.launch({ executablePath: browserPath, args: ["--no-sandbox"] });
let failed = null;
try {
  const desk = await newPage(browser, 1280, "light");
  await startRun(desk, url);
  await watchRun(desk);
  // The page hears of the note by itself.
  noteCluster();
  await cluster(desk, 1280);
  await learning(desk, 1280);
  noteTraining();
  await otherWork(desk, url, 1280);
  await replay(desk, url, 1280);
  await inside(desk, url, 1280);
  await data(desk, url, 1280);
  await checkPgn(await play(desk, url));
  await runs(desk, url, 1280);
  await dark(browser, url);
  const phone = await newPage(browser, 360, "light");
  await phone.goto(`${url}#/learning?id=runs/mini`);
  await cluster(phone, 360);
  await learning(phone, 360);
  await otherWork(phone, url, 360);
  await replay(phone, url, 360);
  await inside(phone, url, 360);
  await data(phone, url, 360);
  await playOnPhone(phone, url);
  await runs(phone, url, 360);
  await remove(desk, url);
  assert.deepEqual(errors, [], "the console has errors");
} catch (error) {
  failed = error;
  console.error(`failed while: ${step}`);
  console.error(error);
  if (errors.length > 0) console.error(errors);
} finally {
  await browser.close();
  server.kill("SIGINT");
  await new Promise((resolve) => server.on("exit", resolve));
  rmSync(folder, { recursive: true, force: true });
}
process.exit(failed ? 1 : 0);
