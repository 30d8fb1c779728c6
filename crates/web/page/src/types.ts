// Made from the Rust types by `cargo test -p tabia-web types`; see crates/web/src/types.rs.
export type Interval = { value: number | null, lower: number | null, upper: number | null, };
export type Standing = "unread" | "running" | "finished" | "interrupted" | "unknown" | "broken";
export type WorkSummary = { id: string, name: string, 
/**
 * run, selection, study or training.
 */
kind: string, title: string | null, standing: Standing, 
/**
 * What is wrong with its files.
 */
problem: string | null, arms: Array<string>, seeds: number, 
/**
 * What `done` and `of` count.
 */
unit: string, done: number, 
/**
 * 0 if that is not known.
 */
of: number, 
/**
 * The step that ended last, in words.
 */
latest: string | null, 
/**
 * The strength that was measured last.
 */
elo: Interval | null, 
/**
 * Whose strength that is.
 */
elo_of: string | null, ruling: string | null, 
/**
 * Seconds of all finished steps, if they were noted.
 */
seconds: number | null, 
/**
 * Seconds that the rest will take if it goes on like this.
 */
seconds_left: number | null, bytes: number, 
/**
 * When something changed last, in milliseconds since 1970.
 */
changed: number, tags: Array<string>, };
export type Progress = { arm: string, seed: number, generation: number, 
/**
 * Which step, in words.
 */
step: string, unit: string, done: number, of: number, loss: number | null, 
/**
 * The match in play.
 */
elo: Interval | null, 
/**
 * When this was so, in milliseconds since 1970.
 */
at: number, };
export type About = { version: string, folder: string, 
/**
 * What can be asked.
 */
routes: Array<string>, };
export type ServerEvent = { "news": "work", 
/**
 * What it is now.
 */
item: WorkSummary, } | { "news": "gone", 
/**
 * Which one.
 */
id: string, } | { "news": "progress", 
/**
 * Of which work.
 */
id: string, 
/**
 * How far it is.
 */
progress: Progress, } | { "news": "cluster", 
/**
 * For which work.
 */
id: string, } | { "news": "thought", 
/**
 * What.
 */
thought: SearchUpdate, } | { "news": "refresh" };
export type Value = { centipawns: number | null, 
/**
 * Moves to mate; negative if the side to move is mated.
 */
mate: number | null, };
export type TriedMove = { uci: string, san: string, visits: number, 
/**
 * Its share before the search.
 */
prior: number | null, 
/**
 * The share that the search gives it.
 */
policy: number | null, 
/**
 * Its value for the side to move, from -1 to 1.
 */
value: number | null, };
export type Variation = { rank: number, value: Value, 
/**
 * Chances of win, draw and loss in thousandths.
 */
wdl: [number, number, number], sans: Array<string>, 
/**
 * The first move in coordinates.
 */
first: string | null, };
export type SearchUpdate = { job: string, fen: string, done: boolean, problem: string | null, depth: number, nodes: number, milliseconds: number, variations: Array<Variation>, 
/**
 * What a tree search found of single moves.
 */
tried: Array<TriedMove>, };
export type Reply = { 
/**
 * Nothing if there is no legal move.
 */
uci: string | null, san: string | null, value: Value, depth: number, nodes: number, milliseconds: number, tried: Array<TriedMove>, };
export type MoveRequest = { game: Moves, player: PlayerName, 
/**
 * What decides chance, where a player has any.
 */
seed: number | null, };
export type AnalysisRequest = { 
/**
 * A name under which its thoughts are told.
 */
job: string, game: Moves, player: PlayerName, };
export type Job = { job: string, };
export type Moves = { 
/**
 * The first position as FEN; the usual one by default.
 */
start: string | null, 
/**
 * Moves in coordinates.
 */
moves: Array<string>, };
export type Legal = { uci: string, san: string, };
export type End = { result: string, words: string, };
export type Position = { 
/**
 * The positions of the game, the first one first.
 */
fens: Array<string>, 
/**
 * The moves as people write them.
 */
sans: Array<string>, 
/**
 * The moves in coordinates.
 */
moves: Array<string>, 
/**
 * The side to move: white or black.
 */
turn: string, check: boolean, 
/**
 * What the side to move can do; nothing when the game has ended.
 */
legal: Array<Legal>, 
/**
 * How the game ended, if it has.
 */
end: End | null, pgn: string, };
export type ModelName = { 
/**
 * The work that has it; none if it came with the program.
 */
work: string | null, 
/**
 * Its file in that work, or its word.
 */
file: string, };
export type PlayerName = { model: ModelName, 
/**
 * alphabeta, mcts or sequence; what fits the model by default.
 */
kind: string | null, nodes: number | null, milliseconds: number | null, 
/**
 * The strength as people know it, where the player has that option.
 */
elo: number | null, 
/**
 * How many lines an analysis shows.
 */
lines: number | null, };
export type Choice = { model: ModelName, 
/**
 * What it is called in a list.
 */
name: string, 
/**
 * The work that it belongs to, or what came with the program.
 */
group: string, };
export type StrengthRange = { 
/**
 * The least and the most Elo; nothing if it cannot be limited to an Elo.
 */
elo: [number, number] | null, };
export type Metric = { name: string, title: string, 
/**
 * What the axis along counts.
 */
along: string, 
/**
 * Whether numbers are shares of 1.
 */
share: boolean, 
/**
 * Whether few people want to see it.
 */
minor: boolean, };
export type Line = { name: string, arm: string | null, seed: number | null, x: Array<number>, y: Array<number | null>, 
/**
 * The lower end of an interval, or the least of a bucket.
 */
low: Array<number | null>, 
/**
 * The upper end of an interval, or the most of a bucket.
 */
high: Array<number | null>, 
/**
 * How many points there are in all.
 */
points: number, 
/**
 * Whether low and high are those of buckets.
 */
bucketed: boolean, };
export type Curve = { metric: Metric, lines: Array<Line>, };
export type ListedGame = { number: number, white: string, black: string, result: string, reason: string | null, plies: number, 
/**
 * Its first moves.
 */
opening: string, 
/**
 * The code of its opening and its name, if it has one.
 */
eco: string | null, name: string | null, 
/**
 * What is left on the board at the end.
 */
material: string, };
export type GameList = { 
/**
 * All games of the file.
 */
all: number, 
/**
 * Those that the filter lets through.
 */
found: number, 
/**
 * How games end here.
 */
reasons: Array<string>, 
/**
 * The openings that occur most often here, as they can be asked for.
 */
openings: Array<string>, games: Array<ListedGame>, };
export type ShownGame = { number: number, white: string, black: string, result: string, reason: string | null, fens: Array<string>, plies: Array<Ply>, pgn: string, };
export type Ply = { uci: string, san: string, 
/**
 * For the side that moved.
 */
value: Value | null, depth: number | null, nodes: number | null, seconds: number | null, };
export type MatchCourse = { first: string, second: string, games: Array<number>, elo: Array<Interval>, 
/**
 * The logarithm of the ratio of likelihoods; empty without a test.
 */
llr: Array<number | null>, 
/**
 * Where the test ends.
 */
bounds: [number, number] | null, 
/**
 * What it tests, in Elo.
 */
hypotheses: [number, number] | null, };
export type Detail = { item: WorkSummary | null, progress: Progress | null, question: string | null, 
/**
 * The file of settings with which it was begun.
 */
settings: string | null, seeds: Array<number>, generations: number, rows: Array<Generation>, models: Array<Rated>, meetings: Array<Meeting>, 
/**
 * Differences between arms over all seeds.
 */
effects: Array<Effect>, ruling: string | null, reason: string | null, 
/**
 * How the candidates of a selection stand.
 */
candidates: Array<Candidate>, claims: Array<Claim>, 
/**
 * Files with models, positions and games.
 */
files: Files, };
export type Generation = { arm: string, seed: number, generation: number, horizon: number | null, games: number, plies: number, positions: number, decisive: number, loss: number | null, validation_loss: number | null, seconds: number, previous: Interval | null, baseline: Interval | null, rating: Interval | null, promoted: boolean, reason: string, 
/**
 * The file of the net that plays from then on.
 */
version: string, };
export type Rated = { model: string, file: string, arms: Array<string>, seed: number, generation: number, promoted: boolean, rating: Interval | null, };
export type Meeting = { seed: number, arm: string, generation: number, 
/**
 * Why they met, in words.
 */
step: string, first: string, second: string, wins: number, draws: number, losses: number, elo: Interval, 
/**
 * The chance that the first is the stronger one.
 */
los: number | null, };
export type Effect = { contrast: string, by_seed: Array<[number, number | null]>, mean: Interval, };
export type Candidate = { name: string, epoch: number | null, validation_loss: number | null, elo: Interval, wins: number, draws: number, losses: number, 
/**
 * The chance to be the best of all.
 */
chance: number, chosen: boolean, };
export type Claim = { name: string, text: string, pace: string, ruling: string, matches: Array<ClaimMatch>, };
export type ClaimMatch = { first: string, second: string, games: number, score: number, elo: Interval | null, corrected: number | null, ruling: string, };
export type Files = { models: Array<HeldFile>, shards: Array<HeldFile>, matches: Array<HeldFile>, };
export type HeldFile = { file: string, bytes: number, 
/**
 * In milliseconds since 1970.
 */
changed: number, };
export type ClusterStatus = { 
/**
 * Whether it is so now; else it was so when it was noted.
 */
live: boolean, 
/**
 * In milliseconds since 1970.
 */
begun: number, noted: number, kinds: Array<string>, 
/**
 * Units that wait for a worker.
 */
queued: number, 
/**
 * Units that are not done.
 */
open: number, pieces: number, 
/**
 * Units that were done twice and were equal.
 */
confirmed: number, 
/**
 * Results that came a second time and were ignored.
 */
duplicates: number, 
/**
 * Units that were lost on the way and given out again.
 */
lost: number, 
/**
 * All who were ever there.
 */
known: number, 
/**
 * Those who are there.
 */
present: number, threads: number, 
/**
 * Who has done most comes first.
 */
workers: Array<ClusterWorker>, };
export type ClusterWorker = { name: string, 
/**
 * None if it is gone.
 */
threads: number, 
/**
 * Nodes a second of one thread.
 */
speed: number, 
/**
 * Units that it holds.
 */
units: number, pieces: number, 
/**
 * Seconds of its threads for them.
 */
seconds: number, confirmed: number, failures: number, troubles: number, 
/**
 * Why nothing is taken from it.
 */
objection: string | null, };
export type AboutModel = { name: string, kind: string, description: string, hash: string, bytes: number, layers: Array<Layer>, neurons: Array<Neurons>, sheets: Array<Sheet>, };
export type Layer = { name: string, weights: number, least: number, most: number, mean_magnitude: number, zeros: number, 
/**
 * Only integers have a largest value.
 */
saturated: number | null, };
export type Neurons = { 
/**
 * Of which layer.
 */
layer: string, count: number, 
/**
 * Never above 0.
 */
dead: number, active: number, saturated: number, positions: number, };
export type Sheet = { name: string, meaning: string, 
/**
 * What a set is of, such as a neuron.
 */
set: string, sets: number, };
export type Drawn = { title: string, columns: number, numbers: Array<number | null>, };
export type Belief = { 
/**
 * For White, in centipawns.
 */
centipawns: number | null, 
/**
 * Chances of White: win, draw and loss, in thousandths.
 */
wdl: [number, number, number] | null, 
/**
 * What each man adds for White; none of a model that is too slow to be asked so often.
 */
men: Array<Man>, 
/**
 * Whether that is in pawns, or else in percent of a game.
 */
in_pawns: boolean, 
/**
 * Groups of terms, from White's view in centipawns.
 */
terms: Array<Term>, 
/**
 * Moves with their shares, the largest first.
 */
moves: Array<Share>, };
export type Man = { square: string, piece: string, amount: number, };
export type Term = { name: string, centipawns: number, };
export type Share = { uci: string, san: string, share: number | null, };
export type Bins = { first: number, width: number, counts: Array<number>, below: number, above: number, };
export type Counts = { positions: number, 
/**
 * Whether there are more, which were not counted.
 */
cut: boolean, games: number, 
/**
 * Positions whose men stood on the same squares before.
 */
duplicates: number, 
/**
 * For White: losses, draws, wins.
 */
results: [number, number, number], checks: number, captures: number, decisive: number, contradictions: number, scores: Bins, plies: Bins, men: Bins, 
/**
 * How often White's king stands on each square.
 */
kings: Array<number>, };
export type ShownPosition = { number: number, fen: string, 
/**
 * The move that was played, as people write it and in coordinates.
 */
san: string | null, uci: string | null, 
/**
 * For the side to move, in centipawns.
 */
score: number, 
/**
 * The result for the side to move: win, draw or loss.
 */
result: string, turn: string, ply: number, };
export type Preset = { name: string, summary: string, text: string, };
export type Start = { name: string, preset: string | null, text: string | null, 
/**
 * Keys that are changed, such as `generations=8`.
 */
set: Array<string>, 
/**
 * How many games are played at once, and how many threads train.
 */
concurrency: number | null, };
export type Chosen = { id: string, };
export type Log = { text: string, };
