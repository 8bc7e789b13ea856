/**
 * The process of a peer that runs in Node. It responds to requests until its input ends. `uno_child.py` does the same
 * in Python.
 */
import { readFile, writeFile } from "node:fs/promises";
import { createInterface } from "node:readline";
import type { Failure } from "../../measure/task.ts";
import { type RunningConverter, startConverter } from "./converters.ts";
import type { PeerRequest, PeerTask, Window } from "./peer.ts";

const task: PeerTask = JSON.parse(process.argv[2] ?? "");

try {
  const documents = await Promise.all(task.documents.map((file) => readFile(file)));
  const converter = startConverter(task.peer);
  try {
    for await (const line of createInterface({ input: process.stdin })) {
      const answer = await perform(JSON.parse(line), converter, documents);
      console.log(JSON.stringify(answer));
    }
  } finally {
    await converter.close();
  }
} catch (error) {
  const failure: Failure = { failed: error instanceof Error ? error.message : String(error) };
  console.log(JSON.stringify(failure));
}

async function perform(
  request: PeerRequest,
  converter: RunningConverter,
  documents: readonly Uint8Array[],
): Promise<Window | null> {
  if (request.do === "convert") return convertSome(request, converter, documents);
  await writeFile(request.file, await converter.convert(documentAt(documents, 0)));
  return null;
}

async function convertSome(
  { from, fewest, windowMs }: Extract<PeerRequest, { do: "convert" }>,
  converter: RunningConverter,
  documents: readonly Uint8Array[],
): Promise<Window> {
  const latenciesMs: number[] = [];
  const begun = performance.now();
  let next = 0;
  const goesOn = () =>
    next < fewest || next % task.step !== 0 || performance.now() - begun < windowMs;
  const takeTurns = async () => {
    while (goesOn()) {
      const document = documentAt(documents, from + next);
      next += 1;
      const start = performance.now();
      await converter.convert(document);
      latenciesMs.push(performance.now() - start);
    }
  };
  await Promise.all(Array.from({ length: task.inFlight }, takeTurns));
  return { wallMs: performance.now() - begun, latenciesMs };
}

function documentAt(documents: readonly Uint8Array[], number: number): Uint8Array {
  const document = documents[number % documents.length];
  if (document === undefined) throw new Error("There are no documents.");
  return document;
}
