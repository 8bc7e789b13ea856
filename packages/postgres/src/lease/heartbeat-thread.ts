import { parentPort, workerData } from "node:worker_threads";
import pg from "pg";
import { connectionConfig, type Place, SESSION_SETTINGS } from "../database/connection.ts";
import { inSchema } from "../database/schema-name.ts";
import { monotonicMs } from "./clock.ts";
import type { HeartbeatMessage, HeartbeatNews } from "./heartbeat.ts";

/** How long to wait for an answer. A lease of 15 seconds leaves time for several tries. */
const ANSWER_MS = 2000;
/** How often to connect again while the server does not answer. */
const CONNECT_MS = 500;

const place = workerData as Place;
const timers = new Map<number, NodeJS.Timeout>();
let client: Promise<pg.Client> | null = null;

function post(news: HeartbeatNews): void {
  parentPort?.postMessage(news);
}

function connected(): Promise<pg.Client> {
  client ??= connect();
  return client;
}

async function connect(): Promise<pg.Client> {
  const made = new pg.Client(connectionConfig(place.directUrl, ANSWER_MS));
  const forget = (): void => {
    client = null;
    // Listens again, even if no lease has to be renewed.
    setTimeout(() => void connected().catch(() => {}), CONNECT_MS).unref();
  };
  made.on("error", forget);
  made.on("notification", () => post("work"));
  try {
    await made.connect();
    // A crash of the server may undo a renewal. The lease then expires, which is safe.
    await made.query(`${SESSION_SETTINGS}; SET synchronous_commit = off`);
    await made.query(`LISTEN "${inSchema("quire.work", place.schema)}"`);
    // News may have been missed.
    post("work");
    return made;
  } catch (error) {
    forget();
    void made.end().catch(() => {});
    throw error;
  }
}

async function renew(message: HeartbeatMessage & { readonly type: "start" }): Promise<void> {
  const { workerNo, leaseMs, deadline } = message;
  // The time before the request: this process never believes in the lease for longer than the server does.
  const from = monotonicMs();
  const used = connected();
  try {
    const renewed = await (await used).query(
      inSchema(
        "UPDATE quire.worker SET expires_at = clock_timestamp() + $2 * interval '1 ms' WHERE no = $1",
        place.schema,
      ),
      [workerNo, leaseMs],
    );
    if (!timers.has(workerNo)) return;
    if (renewed.rowCount === 1) {
      deadline[0] = from + leaseMs;
      return;
    }
    deadline[0] = 0;
    clearInterval(timers.get(workerNo));
    post({ lost: workerNo });
  } catch {
    // There is time for another try over another connection.
    if (client === used) client = null;
    void used.then((broken) => broken.end()).catch(() => {});
  }
}

parentPort?.on("message", (message: HeartbeatMessage) => {
  clearInterval(timers.get(message.workerNo));
  timers.delete(message.workerNo);
  if (message.type === "stop") return;
  timers.set(
    message.workerNo,
    setInterval(() => void renew(message), message.renewMs),
  );
});

connected().then(
  () => post("ready"),
  (error: unknown) => {
    throw error;
  },
);
