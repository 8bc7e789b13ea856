/** A small tenant behind a large batch: how long until its documents are begun and made. */
import { setTimeout as wait } from "node:timers/promises";
import type { PostgresServer } from "../../packages/postgres/test/support/postgres-server.ts";
import { spreadOf } from "../measure/statistics.ts";
import type { NodeReport } from "./node.ts";
import { accept, acceptingEngine, Nodes, ONE_BATCH } from "./nodes.ts";
import type { TurnResults } from "./results.ts";

const ENTRIES = 200_000;
const SMALL = 10;
const NODES = 3;
const TIMES = 40;
const POLL_MS = 10;

/** Measures small batches of other tenants, one after the other, behind a large batch. */
export async function measureTurn({ url }: PostgresServer): Promise<TurnResults> {
  const schema = "turn";
  const engine = acceptingEngine(url, schema);
  await accept(engine, { tenant: "large", entries: ENTRIES });
  const begun = new Map<string, number>();
  const note = ({ name, at }: NodeReport): void => {
    if (name !== null && !begun.has(name)) begun.set(name, at);
  };
  const nodes = await Nodes.start(NODES, { url, schema, ...ONE_BATCH }, note);
  const [begunMs, madeMs]: [number[], number[]] = [[], []];
  for (let times = 0; times < TIMES; times++) {
    // At different moments of the nodes' rounds.
    await wait(500 + ((times * 37) % 300));
    const report = `small ${times}`;
    const batchId = await accept(engine, { tenant: report, entries: SMALL, report });
    const acceptedAt = Date.now();
    while ((await engine.getBatch(batchId)).status !== "finished") await wait(POLL_MS);
    madeMs.push(Date.now() - acceptedAt);
    begunMs.push((begun.get(report) ?? Number.NaN) - acceptedAt);
  }
  await nodes.kill();
  await engine.close();
  const [begins, ends] = [spreadOf(begunMs), spreadOf(madeMs)];
  console.log(begins, ends);
  return {
    nodes: NODES,
    entries: ENTRIES,
    smallEntries: SMALL,
    times: TIMES,
    begunMs: begins,
    madeMs: ends,
  };
}
