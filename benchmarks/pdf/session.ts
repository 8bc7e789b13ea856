import { once } from "node:events";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { isFailure } from "../measure/start-process.ts";
import type { Failure } from "../measure/task.ts";
import { openAccount } from "./account/open-account.ts";
import type { Peer, PeerRequest, PeerTask, Window } from "./peers/peer.ts";
import { watch } from "./watch.ts";

/** A program with what it starts, which answers requests and is measured while it does. */
export interface Session<Request> {
  /** Rejects with what the program tells when it fails. */
  ask<Answer>(request: Request): Promise<Asked<Answer>>;
  /** Ends the program and whatever it has left. */
  close(): Promise<void>;
}

/** An answer, and what it took. */
export interface Asked<Answer> {
  readonly answer: Answer;
  /** Of all processes together. */
  readonly cpuMs: number;
  /** The most that all processes together held; what they share counts in each of them. */
  readonly peakMb: number;
  /** The LibreOffices that were there, each with a name that no other one has. */
  readonly offices: readonly string[];
}

/** What measures a peer in one window. */
export interface Speed {
  readonly documents: number;
  readonly cpuMs: number;
  readonly wallMs: number;
  readonly latenciesMs: readonly number[];
  readonly peakMb: number;
  readonly offices: readonly string[];
}

/** Where the programs of a run are started. */
export interface Surroundings {
  /** Where all of them put their temporary files: in memory, where that is possible. */
  readonly temp: string;
  /** LibreOffice's launcher. */
  readonly soffice: string;
  /** A Python with LibreOffice's `uno`; null when there is none. */
  readonly python: string | null;
}

const PROGRAMS = {
  node: fileURLToPath(new URL("peers/child.ts", import.meta.url)),
  python: fileURLToPath(new URL("peers/uno_child.py", import.meta.url)),
};

/** A program that takes longer to end is killed. */
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

/** What a peer is started with. */
export type PeerStart = Pick<PeerTask, "documents" | "folder"> & { readonly inFlight?: number };

/** Has a peer convert documents, and gives what one took. */
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

/** Starts a program that answers each line of JSON with one. */
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
  // A program that has ended cannot be written to; that it has is told by its missing answer.
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
