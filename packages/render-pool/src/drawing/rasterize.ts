// WebAssembly modules draw SVGs and decode WebP images. An SVG of a few hundred bytes can keep its module busy for
// hours or fill all memory. The modules therefore run in a separate thread, which can be terminated.
import { Worker } from "node:worker_threads";
import { abortedError, programUrl, QuireError, throwIfAborted } from "@quire/contracts";
import type { RasterizeReply, RasterizeRequest } from "@quire/docx/internal/values/image/rasterize";
import pLimit from "p-limit";
import type { DrawingMessage } from "./messages.ts";

/**
 * Maximum time in milliseconds for one image that is within the other limits, for example an SVG with very many shapes
 * as large as the picture. After a timeout, the document fails, so that no output depends on the speed of the
 * machine.
 */
const DEADLINE_MS = 30_000;

/** How long the thread is kept for the next image, in milliseconds. It takes up to half a second to start. */
const IDLE_MS = 10_000;

const HEAP_LIMIT_MB = 256;

/** One thread for each process, which draws one image at a time. */
const oneAtATime = pLimit(1);
let thread: Worker | null = null;
/** The fonts that the thread has. They are sent once, because they are much larger than an SVG. */
let fontsOfThread: readonly Uint8Array[] = [];
let idle: NodeJS.Timeout | undefined;

/**
 * Draws an SVG or decodes a WebP image, as PNG. Rejects with `aborted` if the signal is aborted, with `timeout` if this
 * takes too long, and with `unavailable` if the thread or a module does not start, which is not the fault of the image.
 */
export function rasterize(
  request: RasterizeRequest,
  signal: AbortSignal | undefined,
): Promise<RasterizeReply> {
  return oneAtATime(async () => {
    throwIfAborted(signal);
    clearTimeout(idle);
    thread ??= startThread();
    const worker = thread;
    let reply: RasterizeReply | undefined;
    try {
      reply = await ask(worker, request, signal);
      return reply;
    } finally {
      // A thread that has failed may be low on memory or in an invalid state, so it is not used again.
      if (reply === undefined || "problem" in reply) endThread(worker);
      else idle = setTimeout(endThread, IDLE_MS, worker).unref();
    }
  });
}

function startThread(): Worker {
  const worker = new Worker(programUrl("./draw-worker", import.meta.url), {
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: HEAP_LIMIT_MB },
  });
  fontsOfThread = [];
  // The caller also listens, but not all the time. An error without any listener would end the process.
  worker.on("error", () => endThread(worker)).on("exit", () => endThread(worker));
  return worker;
}

function endThread(worker: Worker): void {
  if (thread === worker) thread = null;
  void worker.terminate();
}

function ask(
  worker: Worker,
  request: RasterizeRequest,
  signal: AbortSignal | undefined,
): Promise<RasterizeReply> {
  const { promise, resolve, reject } = Promise.withResolvers<RasterizeReply>();
  const kind = "svg" in request ? SVG : WEBP;
  const deadline = setTimeout(() => reject(tooSlow(kind)), DEADLINE_MS);
  const onAbort = (): void => {
    if (signal !== undefined) reject(abortedError(signal));
  };
  const onError = (error: Error): void => {
    const isOutOfMemory = "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY";
    if (isOutOfMemory) resolve({ problem: kind.problem });
    else reject(unavailable(kind, error));
  };
  const onExit = (): void => reject(unavailable(kind, undefined));
  signal?.addEventListener("abort", onAbort);
  worker.once("message", resolve).once("error", onError).once("exit", onExit);
  worker.ref();
  send(worker, request);
  return promise.finally(() => {
    clearTimeout(deadline);
    signal?.removeEventListener("abort", onAbort);
    worker.off("message", resolve).off("error", onError).off("exit", onExit);
    worker.unref();
  });
}

/** Sends an image, and its fonts first if the thread does not have them. */
function send(worker: Worker, request: RasterizeRequest): void {
  const post = (message: DrawingMessage): void => worker.postMessage(message);
  if (!("svg" in request)) {
    post(request);
    return;
  }
  const { fonts, ...svg } = request;
  const hasText = fonts.length > 0;
  if (hasText && fonts !== fontsOfThread) {
    fontsOfThread = fonts;
    post({ fonts });
  }
  post({ ...svg, hasText });
}

/** How messages describe a kind of image. */
interface Kind {
  readonly problem: string;
  readonly slow: string;
  readonly program: string;
  readonly library: string;
}

const SVG: Kind = {
  problem: "is an SVG that cannot be drawn",
  slow: `An SVG picture in the data takes more than ${DEADLINE_MS / 1_000} seconds to draw. Simplify it.`,
  program: "renderer of SVG images",
  library: "@resvg/resvg-wasm",
};

const WEBP: Kind = {
  problem: "is a WebP image that cannot be decoded",
  slow: `A WebP image in the data takes more than ${DEADLINE_MS / 1_000} seconds to decode. Make it smaller.`,
  program: "decoder of WebP images",
  library: "@cwasm/webp",
};

function tooSlow({ slow }: Kind): QuireError {
  return new QuireError("timeout", slow);
}

function unavailable({ program, library }: Kind, cause: unknown): QuireError {
  return new QuireError(
    "unavailable",
    `The ${program} did not start. Install the package ${library} next to @quire/render-pool, or use @quire/core, which includes it.`,
    { cause },
  );
}
