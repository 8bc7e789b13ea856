/**
 * The main program of a process of the pool; `process-supervisor.ts` manages it. It handles templates and documents
 * strictly in order, and sends the result of one document before it begins the next. The pool therefore knows on which
 * document it is working. It can read only the files of its own packages, and does not get the host's environment
 * variables.
 */
import type { Buffer } from "node:buffer";
import { Socket } from "node:net";
import { Worker } from "node:worker_threads";
import { QuireError } from "@quire/contracts";
import { decodeData } from "../protocol/document-data.ts";
import type { Held } from "../protocol/document-task.ts";
import { encodeFrame, type Frame, frameReader } from "../protocol/frames.ts";
import {
  type AnswerHead,
  type CompiledHead,
  type DocumentHead,
  FROM_PROCESS,
  fromWire,
  PIPES,
  type QuestionHead,
  type RenderedHead,
  type TemplateHead,
  TO_PROCESS,
  toWire,
  type WireError,
} from "../protocol/messages.ts";
import { readPipe } from "../protocol/read-pipe.ts";
import { openTemplate } from "./open-template.ts";
import { performTask } from "./perform-task.ts";

/**
 * Duration in milliseconds after which a document was long. After it, the process checks which waiting documents were
 * withdrawn.
 */
const LONG_MS = 50;
const MAX_NAME = 100_000;

const input = readPipe(PIPES.input);
const output = new Socket({ fd: PIPES.output, readable: false, writable: true });

const waiting: Frame[] = [];
let wake = (): void => {};
const skipped = new Set<number>();
/** The templates by number; null for a template that could not be compiled. */
const templates = new Map<number, Held | null>();
const questions = new Map<number, PromiseWithResolvers<Uint8Array>>();
/**
 * For each error that the pool sent as an answer, the number of its question, so that the pool recognizes its own
 * errors.
 */
const answered = new WeakMap<object, number>();
let lastQuestion = 0;
/** The fonts for the text of SVGs, which the process keeps; null until it needs them. */
let fonts: Promise<readonly Uint8Array[]> | null = null;

// The guard thread monitors the memory and the host even while this thread is busy.
new Worker(new URL(import.meta.url.replace(/pool-process(\.\w+)$/, "pool-guard$1")), {
  argv: process.argv.slice(2),
  env: {},
  execArgv: [],
  resourceLimits: { maxOldGenerationSizeMb: 64 },
}).unref();

input.on("data", frameReader(receive));
for (const pipe of [input, output]) pipe.on("close", end).on("error", end);
await send(FROM_PROCESS.ready, 0);
for (;;) {
  const frame = waiting.shift();
  if (frame !== undefined) {
    await work(frame);
  } else {
    skipped.clear();
    await new Promise<void>((resolve) => {
      wake = resolve;
    });
  }
}

function end(): void {
  process.exit();
}

function receive(frame: Frame): void {
  if (frame.kind === TO_PROCESS.skip) skipped.add(frame.id);
  else if (frame.kind === TO_PROCESS.answer) answer(frame);
  else {
    waiting.push(frame);
    wake();
  }
}

async function work({ kind, id, head, body }: Frame): Promise<void> {
  if (kind === TO_PROCESS.forget) {
    templates.delete(id);
  } else if (kind === TO_PROCESS.template) {
    const compiled = await compile(id, JSON.parse(head), body);
    await send(FROM_PROCESS.compiled, id, compiled);
  } else {
    const start = performance.now();
    const { bytes, ...rendered } = await perform(id, JSON.parse(head), body);
    await send(FROM_PROCESS.rendered, id, rendered, bytes);
    if (performance.now() - start > LONG_MS) await new Promise(setImmediate);
  }
}

async function compile(
  id: number,
  { canInclude, isPdf, isSent, ...options }: TemplateHead,
  body: Buffer,
): Promise<CompiledHead> {
  try {
    const bytes = isSent ? new Uint8Array(body) : await ask("own", "");
    const readTemplate = canInclude ? (name: string) => ask("template", name) : undefined;
    const opened = isPdf ? { pdf: bytes } : await openTemplate(bytes, { ...options, readTemplate });
    templates.set(id, opened);
    return {};
  } catch (error) {
    templates.set(id, null);
    return { error: wireError(error) };
  }
}

async function perform(
  id: number,
  { task, template: number, encoding, canReadFiles, fontCount, ...options }: DocumentHead,
  body: Buffer,
): Promise<RenderedHead & { readonly bytes?: Uint8Array }> {
  if (skipped.delete(id)) return { nothing: "skipped" };
  const template = templates.get(number);
  if (template === undefined || template === null) return { nothing: "not compiled" };
  try {
    const data = decodeData({ encoding, bytes: body });
    const readFile = canReadFiles ? (name: string) => ask("file", name) : undefined;
    const svgFonts = fontCount === 0 ? undefined : () => askForFonts(fontCount);
    const document = await performTask(task, template, data, { ...options, readFile, svgFonts });
    const { bytes, warnings, pages } = document;
    const head = pages === undefined ? {} : { pages };
    return warnings.length > 0 ? { ...head, bytes, warnings } : { ...head, bytes };
  } catch (error) {
    return { error: wireError(error) };
  }
}

/** Asks the pool for a file. Rejects names longer than `MAX_NAME`, because no file has such a name. */
async function ask(what: QuestionHead["what"], name: string): Promise<Uint8Array> {
  if (name.length > MAX_NAME) {
    throw new QuireError("not_found", `There is no file ${JSON.stringify(name)}.`);
  }
  lastQuestion += 1;
  const question = Promise.withResolvers<Uint8Array>();
  questions.set(lastQuestion, question);
  const head: QuestionHead = { what, name };
  await send(FROM_PROCESS.question, lastQuestion, head);
  return question.promise;
}

function askForFonts(count: number): Promise<readonly Uint8Array[]> {
  fonts ??= Promise.all(Array.from({ length: count }, (_, index) => ask("font", String(index))));
  return fonts;
}

function answer({ id, head, body }: Frame): void {
  const question = questions.get(id);
  questions.delete(id);
  const { error: wire }: AnswerHead = head === "" ? {} : JSON.parse(head);
  if (wire === undefined) {
    question?.resolve(new Uint8Array(body));
  } else {
    const error = fromWire(wire);
    answered.set(error, id);
    question?.reject(error);
  }
}

function wireError(error: unknown): WireError {
  const question = typeof error === "object" && error !== null ? answered.get(error) : undefined;
  return { ...toWire(error), ...(question === undefined ? {} : { question }) };
}

/** Sends a frame. Resolves when the operating system has all the data, so that it is not lost if this process ends. */
async function send(kind: number, id: number, head: object = {}, body?: Uint8Array): Promise<void> {
  const text = JSON.stringify(head);
  const pieces = encodeFrame(kind, id, text === "{}" ? "" : text, body);
  await new Promise<void>((resolve) => {
    output.cork();
    pieces.forEach((piece, index) => {
      if (index < pieces.length - 1) output.write(piece);
      else output.write(piece, () => resolve());
    });
    output.uncork();
  });
}
