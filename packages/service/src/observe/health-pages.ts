import { type Converter, type Engine, QuireError } from "@quire/core/host";
import { type Page, toResponse, unavailable } from "@quire/http/parts";
import type { Telemetry } from "./telemetry.ts";

const RETRY_SECONDS = 10;
/** How long the job store may take to answer. A server that hangs must not delay `/readyz`. */
const STORE_MS = 3000;

/** Why a process is not ready, in words. */
const NOT_READY = {
  draining: "shutting down",
  full: "full",
  paused: "paused, because the storage or the converter does not work",
} as const;

/** The process whose health the pages report. */
export interface HealthOptions {
  /** What the process is, in messages. */
  readonly name: "service" | "worker";
  readonly engine: Engine;
  /** Aborted when the process shuts down. */
  readonly draining: AbortSignal;
  /** Whether the process has no room for a request. A full job store does not count. Default: never. */
  readonly isFull?: () => boolean;
  /** The converter whose seal is reported. */
  readonly converter?: Pick<Converter, "seal"> | undefined;
  readonly telemetry?: Telemetry | undefined;
}

/** Returns the pages `/healthz` and `/readyz`, and with telemetry `/metrics`. They need no token. */
export function healthPages(options: HealthOptions): Page[] {
  const { telemetry } = options;
  const pages: Page[] = [
    {
      path: "/healthz",
      respond: async () => toResponse({ status: 200, body: { status: "ok" } }),
    },
    { path: "/readyz", respond: () => ready(options) },
  ];
  if (telemetry === undefined) return pages;
  const respond = async (): Promise<Response> => {
    const { contentType, text } = await telemetry.metrics();
    return new Response(text, { headers: { "content-type": contentType } });
  };
  return [...pages, { path: "/metrics", respond }];
}

async function ready(options: HealthOptions): Promise<Response> {
  const reason = await reasonNotReady(options);
  const seal = options.converter?.seal?.() ?? null;
  const details = seal === null ? {} : { seal };
  if (reason === null) return toResponse({ status: 200, body: { status: "ready", ...details } });
  throw unavailable(`The ${options.name} is ${NOT_READY[reason]}. Try again later.`, RETRY_SECONDS);
}

/** Rejects if the job store fails or does not answer in time. */
async function reasonNotReady({
  name,
  engine,
  draining,
  isFull = () => false,
}: HealthOptions): Promise<keyof typeof NOT_READY | null> {
  if (draining.aborted) return "draining";
  if (isFull()) return "full";
  const { submitted, pending, capacity } = await inTime(engine.depth());
  // A worker stays ready, because it makes room in a full store.
  if (name === "service" && submitted + pending >= capacity) return "full";
  return engine.outage() === null ? null : "paused";
}

async function inTime<T>(answer: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const late = new QuireError("job_store_failed", "The job store does not answer in time.", {
    retryable: true,
  });
  const timer = setTimeout(reject, STORE_MS, late);
  try {
    return await Promise.race([answer, promise]);
  } finally {
    clearTimeout(timer);
  }
}
