import { once } from "node:events";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { isFailure } from "../measure/start-process.ts";
import type { Failure } from "../measure/task.ts";
import { openAccount } from "./account/open-account.ts";
import type { Peer, PeerRequest, PeerTask, Window } from "./peers/peer.ts";
import { watch } from "./watch.ts";

/** A program with its child processes. It is measured while it responds to requests. */
export interface Session<Request> {
  /** Sends a request and measures the response. Rejects with the program's error if the program fails. */
  ask<Answer>(request: Request): Promise<Asked<Answer>>;
  /** Ends the program and its remaining child processes. */
  close(): Promise<void>;
}

/** An answer and its cost. */
export interface Asked<Answer> {
  readonly answer: Answer;
  /** CPU time of all processes in milliseconds. */
  readonly cpuMs: number;
  /** Peak memory of all processes together, in megabytes. Memory that processes share counts once for each of them. */
  readonly peakMb: number;
  /** The LibreOffice processes that were observed, each with a unique name. */
  readonly offices: readonly string[];
}

/** A measurement of a peer in one window. */
export interface Speed {
  readonly documents: number;
  readonly cpuMs: number;
  readonly wallMs: number;
  readonly latenciesMs: readonly number[];
  readonly peakMb: number;
  readonly offices: readonly string[];
}

/** The environment for the programs of a run. */
export interface Surroundings {
  /** The folder for temporary files, in memory if possible. */
  readonly temp: string;
  /** LibreOffice's launcher. */
  readonly soffice: string;
  /** A Python that has LibreOffice's `uno`, or null. */
  readonly python: string | null;
}

const PROGRAMS = {
  node: fileURLToPath(new URL("peers/child.ts", import.meta.url)),
  python: fileURLToPath(new URL("peers/uno_child.py", import.meta.url)),
};

/** Time in milliseconds after which a program that has not ended is killed. */
const END_LIMIT_MS = 30_000;

/** Starts a peer. */
export function openPeer(
  peer: Peer,
  surroundings: Surroundings,
  { documents, folder, inFlight = peer.inFlight }: PeerStart,
): Session<PeerRequest> {
  const { soffice, python, temp } = surroundings;
  const { name, step, runs } = peer;
  const task: PeerTask = { peer: name, documents, folder, soffice, inFlight, step };
  const interpreter = runs === "node" ? process.execPath : python;
  if (interpreter === null) throw new Error(`There is no Python for ${peer.title}.`);
  return openSession(peer.title, interpreter, [PROGRAMS[runs], JSON.stringify(task)], temp);
}

/** Options for the start of a peer. */
export type PeerStart = Pick<PeerTask, "documents" | "folder"> & { readonly inFlight?: number };

/** Makes a peer convert documents. Returns the cost per document. */
export async function measureWindow(
  session: Session<PeerRequest>,
  window: { readonly from: number; readonly fewest: number; readonly windowMs: number },
): Promise<Speed> {
  const { answer, cpuMs, peakMb, offices } = await session.ask<Window>({
    do: "convert",
    ...window,
  });
  const { wallMs, latenciesMs } = answer;
  const documents = latenciesMs.length;
  return {
    documents,
    cpuMs: cpuMs / documents,
    wallMs: wallMs / documents,
    latenciesMs,
    peakMb,
    offices,
  };
}

/** Starts a program that responds to each line of JSON with a line of JSON. */
export function openSession<Request>(
  title: string,
  command: string,
  args: readonly string[],
  temp: string,
): Session<Request> {
  const account = openAccount();
  const child = account.spawn(command, args, {
    stdio: "pipe",
    env: { ...process.env, TMPDIR: temp },
  });
  const { stdin, stdout, stderr } = child;
  if (stdin === null || stdout === null || stderr === null) throw new Error("There is no pipe.");
  const ended = once(child, "exit");
  let errors = "";
  stderr.setEncoding("utf8").on("data", (text: string) => {
    errors += text;
  });
  // Failed writes to a program that has ended are ignored, because its missing response reports the end.
  stdin.on("error", () => {});
  const lines = createInterface({ input: stdout })[Symbol.asyncIterator]();
  return {
    ask: async <Answer>(request: Request) => {
      const watching = watch(account);
      const before = account.cpuMs();
      try {
        stdin.write(`${JSON.stringify(request)}\n`);
        const { value, done } = await lines.next();
        const cpuMs = account.cpuMs() - before;
        if (done) throw new Error(`${title} ended without an answer. ${errors.trim()}`);
        const answer: Answer | Failure = JSON.parse(value);
        if (isFailure(answer)) throw new Error(`${title} failed: ${answer.failed}`);
        return { answer, cpuMs, ...watching.stop() };
      } finally {
        watching.stop();
      }
    },
    close: async () => {
      stdin.end();
      await Promise.race([ended, sleep(END_LIMIT_MS, null, { ref: false })]);
      await account.close();
    },
  };
}
