// The workers of a run's cluster: who is there, how fast they are, what each has done.
import { useState } from "preact/hooks";
import { get } from "../api";
import { ago, duration, figures, whole } from "../format";
import { Notice, Table } from "../parts";
import { useAnswer, useKnown } from "../store";
import type { ClusterWorker, Item, Workforce } from "../types";

/** Workers that are shown before somebody wants to see all. */
const FEW = 25;

export function Cluster({ item }: { item: Item }) {
  const heard = useKnown().clusters.get(item.id) ?? 0;
  const { answer, problem } = useAnswer<Workforce | null>(`${item.id} ${heard} ${item.standing}`, (signal) => get("cluster", { id: item.id }, signal));
  if (!answer) return <Notice problem={problem} />;
  return (
    <section class="panel" aria-label="Cluster">
      <div class="bar">
        <h2>Cluster</h2>
        <span class={`badge ${answer.live ? "running" : "interrupted"}`} id="cluster-state">
          {answer.live ? `at work: ${answer.kinds.join(", ") || "waiting for the next step"}` : `as it was ${ago(answer.noted)}`}
        </span>
      </div>
      <Notice problem={problem} />
      <Overview cluster={answer} />
      <Workers cluster={answer} />
    </section>
  );
}

function Overview({ cluster }: { cluster: Workforce }) {
  const seconds = Math.max(1, (cluster.noted - cluster.begun) / 1000);
  const speed = cluster.workers.reduce((sum, worker) => sum + worker.threads * worker.speed, 0);
  const facts: [string, string][] = [
    ["Workers", `${whole(cluster.present)} of ${whole(cluster.known)}, ${whole(cluster.threads)} threads`],
    ["Speed", `${whole(speed)} nodes a second`],
    ["Queue", `${whole(cluster.queued)} units wait, ${whole(cluster.open)} are not done`],
    ["Done", `${whole(cluster.pieces)} pieces in ${duration(seconds)}, ${figures(cluster.pieces / seconds)} a second`],
    ["Checked", `${whole(cluster.confirmed)} units done twice and equal`],
    ["On the way", `${whole(cluster.lost)} units lost and given out again, ${whole(cluster.duplicates)} results came twice`],
  ];
  return (
    <dl class="facts">
      {facts.map(([name, text]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  );
}

/** What a worker is doing, in a word or two. */
function state(worker: ClusterWorker, live: boolean): string {
  if (worker.objection) return `nothing is taken from it: ${worker.objection}`;
  if (worker.threads === 0) return "gone";
  return live ? "there" : "was there";
}

function Workers({ cluster }: { cluster: Workforce }) {
  const [all, setAll] = useState(false);
  const shown = all ? cluster.workers : cluster.workers.slice(0, FEW);
  const most = Math.max(1, ...cluster.workers.map((worker) => worker.pieces));
  if (cluster.workers.length === 0) return <p class="hint">No worker has come yet.</p>;
  return (
    <>
      <Table label="Workers" titles={["Worker", "#Threads", "#Nodes/s each", "#Units held", "#Pieces", "(Share)", "#A second", "#Confirmed", "#Failures", "#Troubles", "State"]}>
        {shown.map((worker) => (
          <tr key={worker.name} class={worker.objection ? "refused" : worker.threads === 0 ? "rejected" : ""}>
            <td class="whole">{worker.name}</td>
            <td class="number">{worker.threads}</td>
            <td class="number">{whole(worker.speed)}</td>
            <td class="number">{worker.units}</td>
            <td class="number">{whole(worker.pieces)}</td>
            <td class="share">
              <span class="bar-cell good" style={{ width: `${(100 * worker.pieces) / most}%` }} />
            </td>
            <td class="number" title="pieces a second of one thread">
              {worker.seconds > 0 ? figures(worker.pieces / worker.seconds) : "–"}
            </td>
            <td class="number">{whole(worker.confirmed)}</td>
            <td class="number">{whole(worker.failures)}</td>
            <td class="number">{whole(worker.troubles)}</td>
            <td>{state(worker, cluster.live)}</td>
          </tr>
        ))}
      </Table>
      {cluster.workers.length > shown.length && (
        <button type="button" class="small" onClick={() => setAll(true)}>
          Show all {whole(cluster.workers.length)} workers
        </button>
      )}
      {cluster.known > cluster.workers.length && (
        <p class="hint">{whole(cluster.known - cluster.workers.length)} more have done less than these and are not listed.</p>
      )}
    </>
  );
}
