// The workers of a run's cluster: which are connected, their speed, and what each has done.
import { useState } from "preact/hooks";
import { get } from "../api";
import { ago, counted, duration, figures, whole } from "../format";
import { Notice, Table } from "../parts";
import { useAnswer, useKnown } from "../store";
import type { ClusterWorker, WorkSummary, ClusterStatus } from "../types";

/** Number of workers shown before the user asks for all. */
const FEW = 25;

export function Cluster({ item }: { item: WorkSummary }) {
  const heard = useKnown().clusters.get(item.id) ?? 0;
  const { answer, problem } = useAnswer<ClusterStatus | null>(`${item.id} ${heard} ${item.standing}`, (signal) => get("cluster", { id: item.id }, signal));
  if (!answer) return <Notice problem={problem} />;
  return (
    <section class="panel" aria-label="Cluster">
      <div class="bar">
        <h2>Cluster</h2>
        <span class={`badge ${answer.live ? "running" : "interrupted"}`} id="cluster-state">
          {answer.live ? `working: ${answer.kinds.join(", ") || "waiting for the next step"}` : `last update ${ago(answer.noted)}`}
        </span>
      </div>
      <Notice problem={problem} />
      <Overview cluster={answer} />
      <Workers cluster={answer} />
    </section>
  );
}

function Overview({ cluster }: { cluster: ClusterStatus }) {
  const seconds = Math.max(1, (cluster.noted - cluster.begun) / 1000);
  const speed = cluster.workers.reduce((sum, worker) => sum + worker.threads * worker.speed, 0);
  const facts: [string, string][] = [
    ["Workers", `${whole(cluster.present)} of ${whole(cluster.known)}, ${counted(cluster.threads, "thread")}`],
    ["Speed", `${whole(speed)} nodes per second`],
    ["Queue", `${counted(cluster.queued, "unit")} queued, ${whole(cluster.open)} open`],
    ["Done", `${counted(cluster.pieces, "piece")} in ${duration(seconds)}, ${figures(cluster.pieces / seconds)} per second`],
    ["Verified", `${counted(cluster.confirmed, "unit")} computed twice with equal results`],
    ["Redelivery", `${counted(cluster.lost, "lost unit")} requeued, ${counted(cluster.duplicates, "duplicate result")} ignored`],
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
  if (worker.objection) return `banned: ${worker.objection}`;
  if (worker.threads === 0) return "disconnected";
  return live ? "connected" : "was connected";
}

function Workers({ cluster }: { cluster: ClusterStatus }) {
  const [all, setAll] = useState(false);
  const shown = all ? cluster.workers : cluster.workers.slice(0, FEW);
  const most = Math.max(1, ...cluster.workers.map((worker) => worker.pieces));
  if (cluster.workers.length === 0) return <p class="hint">No workers yet.</p>;
  return (
    <>
      <Table label="Workers" titles={["Worker", "#Threads", "#Nodes/s each", "#Units held", "#Pieces", "(Share)", "#Per second", "#Verified", "#Failures", "#Errors", "State"]}>
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
            <td class="number" title="pieces per second and thread">
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
        <p class="hint">{whole(cluster.known - cluster.workers.length)} more workers with fewer pieces are not listed.</p>
      )}
    </>
  );
}
