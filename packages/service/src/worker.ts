import { randomUUID } from "node:crypto";
import {
  checkOptions,
  type Engine,
  type EngineEvent,
  namesOf,
  type OptionNames,
} from "@quire/core/host";
import { errorBody, type Page, Problem, toProblem, toResponse } from "@quire/http/parts";
import type { Files } from "./files/files-types.ts";
import { DEFAULT_QUOTAS } from "./limits/quotas.ts";
import { healthPages } from "./observe/health-pages.ts";
import {
  createServiceEngine,
  createServiceFiles,
  type ServiceFiles,
  type ServiceParts,
} from "./service-engine.ts";
import { type AddingSettings, addDeliveries } from "./webhooks/add-deliveries.ts";
import { toWebhookEvents } from "./webhooks/engine-event.ts";
import { NO_LOGGER } from "./webhooks/sender-options.ts";

/** Options of {@link createServiceWorker}. `engine.work` says which documents it makes; false is not allowed. */
export type ServiceWorkerOptions = ServiceParts;

/** Makes the documents that services with the same stores and storage have accepted. */
export interface ServiceWorker {
  /** The engine. */
  readonly engine: Engine;
  /**
   * Answers `/healthz`, `/readyz` and, with telemetry, `/metrics`. There is nothing else: a worker has no API. Never
   * rejects.
   */
  handler(request: Request): Promise<Response>;
  /** Makes `/readyz` fail. Call it at the beginning of a shutdown. */
  drain(): void;
  /**
   * Claims no more jobs, waits up to `graceMs` (default 30,000) for the documents in progress, gives the other jobs
   * back, and closes everything.
   */
  close(options?: { readonly graceMs?: number }): Promise<void>;
}

const NAMES: OptionNames<ServiceWorkerOptions> = {
  storage: true,
  stores: true,
  converter: true,
  engine: true,
  quotas: true,
  logger: true,
  telemetry: true,
};
const GRACE_MS = 30_000;

/**
 * Creates a worker, which immediately begins to make documents. It needs no tokens and no keys: it only adds the
 * deliveries of webhooks to the store, and services send them. Rejects `invalid_request` for invalid options, and with
 * the error of the job store if that does not work.
 */
export async function createServiceWorker(options: ServiceWorkerOptions): Promise<ServiceWorker> {
  checkOptions("createServiceWorker()", options, NAMES);
  checkOptions(
    "The option quotas of createServiceWorker()",
    options.quotas,
    namesOf(DEFAULT_QUOTAS),
  );
  const { stores, converter, telemetry } = options;
  await stores.jobs.gauge.depth();
  const made = createServiceFiles(options);
  const engine = createServiceEngine(options, made.files, {
    onEvents: eventHandler(options, made),
  });
  const draining = new AbortController();
  const pages = healthPages({
    name: "worker",
    engine,
    draining: draining.signal,
    converter,
    telemetry,
  });
  let closing: Promise<void> | null = null;
  const close = async (graceMs: number): Promise<void> => {
    draining.abort();
    await engine.close({ graceMs });
    await stores.close();
  };
  return {
    engine,
    handler: (request) => answer(pages, request),
    drain: () => draining.abort(),
    close({ graceMs = GRACE_MS } = {}) {
      closing ??= close(graceMs);
      return closing;
    },
  };
}

/** Adds the deliveries of events to the store. If no webhook receives them, this only reads. */
function eventHandler(
  { stores, logger }: ServiceWorkerOptions,
  { files, quotas }: { readonly files: Files } & Pick<ServiceFiles, "quotas">,
): (events: readonly EngineEvent[]) => Promise<void> {
  const store = stores.webhooks;
  const settings: AddingSettings = { store, quotas, logger: logger ?? NO_LOGGER, now: Date.now };
  return async (events) => {
    await addDeliveries(settings, await toWebhookEvents(files, events));
  };
}

async function answer(pages: readonly Page[], { url, method }: Request): Promise<Response> {
  const { origin, pathname } = new URL(url);
  const requestId = randomUUID();
  try {
    const page = pages.find(({ path }) => path === pathname);
    if (page === undefined) throw noPage(pages);
    if (method !== "GET" && method !== "HEAD") throw notAllowed();
    return await page.respond(origin);
  } catch (error) {
    const problem = toProblem(error);
    const headers = { ...problem.headers, "x-request-id": requestId };
    const body = errorBody(problem, requestId, "about:blank");
    return toResponse({ status: problem.status, headers, body });
  }
}

function noPage(pages: readonly Page[]): Problem {
  const paths = pages.map(({ path }) => path).join(", ");
  const message = `This is a worker, which has no API. It answers ${paths}. Send other requests to the service.`;
  return new Problem(404, "not_found", message);
}

function notAllowed(): Problem {
  const headers = { allow: "GET, HEAD" };
  return new Problem(405, "method_not_allowed", "Use GET.", { headers });
}
