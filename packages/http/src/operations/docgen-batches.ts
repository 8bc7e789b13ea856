import { type Batch, type Engine, isQuireError, QuireError } from "@quire/core/host";
import { z } from "zod";
import { batchRequest } from "../schemas/batch-request.ts";
import { batchReference, pageQuery } from "../schemas/common.ts";
import { batch, batchCheck, jobs } from "../schemas/docgen.ts";
import { failuresOf, messagesOf, wireBatch } from "../wire/jobs.ts";
import { orNull } from "../wire/or-null.ts";
import { invalidAt, unavailable } from "../wire/problem.ts";
import { type DocGenCall, operation } from "./doc-gen.ts";
import { listedJobs } from "./listed-jobs.ts";
import { progressOf } from "./progress.ts";
import { resolveRequest } from "./resolve-request.ts";

const TAG = "Doc Gen";
const batchId = { batch_id: "The id of the batch." };
const BUSY_SECONDS = 5;

export const createBatch = operation({
  id: "post_docgen_batches_v2025.0",
  method: "POST",
  path: "/docgen_batches",
  tag: TAG,
  summary: "Generate documents from a template",
  description:
    "Accepts or rejects the whole batch. Once the response has arrived, every entry will either be completed or fail, even if the service crashes. If the template itself has errors, each job reports them.",
  needs: "write",
  headers: {
    "idempotency-key": {
      description:
        "Quire extension: a name for this request. Requests with the same key create only one batch. A request with the same key but a different body gets a 409.",
      pattern: "^[\\x21-\\x7e]{1,255}$",
      example: "invoices-2026-11",
    },
  },
  body: batchRequest,
  checksBody: true,
  responses: { 202: { description: "The batch was accepted.", schema: batchReference } },
  errors: [404, 409, 413, 415],
  async run(call: DocGenCall<undefined, unknown>) {
    const { service, who, trace, signal } = call;
    const idempotencyKey = idempotencyKeyOf(call.request.headers);
    const request = await resolveRequest(call, idempotencyKey !== null);
    try {
      // The engine reports all problems of the request, so an invalid list counts as empty here.
      const data: unknown = request.document_generation_data;
      const count = Array.isArray(data) ? data.length : 0;
      const refusal =
        outageRefusal(service.engine) ??
        (await service.quotas?.batchRefusal(who.enterprise, count));
      const { id } = await service.engine.createBatch(request, {
        tenant: who.enterprise,
        ...(refusal === undefined ? {} : { refusal }),
        caller: who.user,
        signal,
        ...(idempotencyKey === null ? {} : { idempotencyKey }),
        ...(trace === undefined ? {} : { trace }),
      });
      return { status: 202, body: { id, type: "docgen_batch" } };
    } catch (error) {
      if (lacksConverter(error)) throw noConverter();
      throw isQuireError(error) && error.code === "limit_exceeded" ? full(error) : error;
    }
  },
});

export const checkBatch = operation({
  id: "post_docgen_batches_check",
  method: "POST",
  path: "/docgen_batches/check",
  tag: TAG,
  summary: "Check a batch without generating documents",
  description:
    "Quire extension: accepts the body that creates a batch, and reports the errors and warnings of each entry. Nothing is written.",
  needs: "read",
  body: batchRequest,
  checksBody: true,
  isSlow: true,
  responses: { 200: { description: "The result of the check.", schema: batchCheck } },
  errors: [404, 413, 415],
  async run(call: DocGenCall<undefined, unknown>) {
    const { service, who, signal } = call;
    const request = await resolveRequest(call);
    const options = { tenant: who.enterprise, signal, maxBytes: service.limits.answerBytes };
    const checked = await service.engine.checkBatch(request, options).catch((error: unknown) => {
      throw lacksConverter(error) ? noConverter() : error;
    });
    return {
      status: 200,
      body: {
        type: "docgen_batch_check",
        template_errors: messagesOf(checked.errors),
        entries: checked.entries.map((entry) => ({
          entry: entry.entry,
          generated_file_name: entry.requestedName,
          file_name: entry.fileName,
          failures: failuresOf(entry),
        })),
      },
    };
  },
});

export const getBatch = operation({
  id: "get_docgen_batches_id",
  method: "GET",
  path: "/docgen_batches/{batch_id}",
  tag: TAG,
  summary: "Get the progress of a batch",
  description: "Quire extension.",
  needs: "read",
  params: batchId,
  responses: { 200: { description: "The batch.", schema: batch } },
  errors: [404],
  run: async (call) => ({ status: 200, body: wireBatch(await batchOf(call)) }),
});

export const cancelBatch = operation({
  id: "post_docgen_batches_id_cancel",
  method: "POST",
  path: "/docgen_batches/{batch_id}/cancel",
  tag: TAG,
  summary: "Cancel a batch",
  description:
    "Quire extension. Jobs that have not started fail; finished documents are kept. Cancelling a finished batch changes nothing.",
  needs: "write",
  params: batchId,
  responses: { 200: { description: "The batch.", schema: batch } },
  errors: [404],
  async run(call) {
    const { id } = await batchOf(call);
    return { status: 200, body: wireBatch(await call.service.engine.cancelBatch(id)) };
  },
});

export const retryBatch = operation({
  id: "post_docgen_batches_id_retry",
  method: "POST",
  path: "/docgen_batches/{batch_id}/retry",
  tag: TAG,
  summary: "Retry the failed jobs of a batch",
  description: "Quire extension: submits the failed jobs of a finished batch again.",
  needs: "write",
  params: batchId,
  responses: { 200: { description: "The batch.", schema: batch } },
  errors: [404, 409],
  async run(call) {
    const { id, counts } = await batchOf(call);
    await call.service.quotas?.admitWaiting(call.who.enterprise, counts.failed);
    try {
      return { status: 200, body: wireBatch(await call.service.engine.retryFailed(id)) };
    } catch (error) {
      throw isQuireError(error) && error.code === "limit_exceeded" ? full(error) : error;
    }
  },
});

export const batchEvents = operation({
  id: "get_docgen_batches_id_events",
  method: "GET",
  path: "/docgen_batches/{batch_id}/events",
  tag: TAG,
  summary: "Follow the progress of a batch",
  description:
    "Quire extension: server-sent events. The service sends `progress` after each change and `finished` at the end, each with the batch as JSON.",
  needs: "read",
  params: batchId,
  responses: {
    200: {
      description: "The events, until the batch has finished or the client disconnects.",
      mediaTypes: ["text/event-stream"],
      example: 'event: progress\ndata: {"id":"8c9d0f4e-…","type":"docgen_batch",…}\n\n',
    },
  },
  errors: [404],
  run: async (call) => progressOf(call.service, await batchOf(call), call.signal),
});

export const listBatchJobs = operation({
  id: "get_docgen_batch_jobs_id_v2025.0",
  method: "GET",
  path: "/docgen_batch_jobs/{batch_id}",
  tag: TAG,
  summary: "List the jobs of a batch",
  needs: "read",
  params: batchId,
  query: z.object(pageQuery),
  responses: { 200: { description: "A page of jobs, ordered by entry.", schema: jobs } },
  errors: [404],
  async run(call) {
    const { id } = await batchOf(call);
    return listedJobs(call, ["batch jobs", id], { batchId: id });
  },
});

/** Returns the batch that the path names. Reports a batch of another enterprise as missing. */
async function batchOf({
  service,
  params,
  who,
}: DocGenCall<never, never> | DocGenCall<unknown, unknown>): Promise<Batch> {
  const id = params.batch_id ?? "";
  const found = await orNull(service.engine.getBatch(id));
  if (found?.tenant === who.enterprise) return found;
  throw new QuireError("not_found", `There is no batch ${JSON.stringify(id)}. Check the id.`);
}

/** Returns the idempotency key of a request; null if the header is missing. Throws a 400 for an invalid key. */
function idempotencyKeyOf(headers: Headers): string | null {
  const key = headers.get("idempotency-key");
  if (key === null || /^[\x21-\x7e]{1,255}$/.test(key)) return key;
  throw invalidAt(
    "",
    "wrong_value",
    "The header Idempotency-Key must be 1 to 255 visible ASCII characters.",
  );
}

/** Why no new batch is accepted while the storage or the converter does not work; undefined while both work. */
function outageRefusal(engine: Pick<Engine, "outage">): QuireError | undefined {
  const outage = engine.outage();
  if (outage === null) return undefined;
  const what = outage.failure.code === "unavailable" ? "the converter" : "the storage";
  return new QuireError(
    "unavailable",
    `No documents can be made at the moment, because ${what} does not work. Accepted batches are kept, and continue when it works again. Try again later.`,
    { retryable: true },
  );
}

/** Whether the engine cannot create PDFs. This is permanent, so retrying does not help. */
function lacksConverter(error: unknown): boolean {
  return isQuireError(error) && error.diagnostics.some(({ code }) => code === "no_converter");
}

function noConverter(): Error {
  return invalidAt(
    "/output_type",
    "no_converter",
    "This service cannot make PDFs from Word documents because it runs without LibreOffice. Request docx, or ask the operator to install LibreOffice.",
  );
}

function full(cause: unknown): Error {
  return unavailable("Too many jobs are waiting. Try again later.", BUSY_SECONDS, cause);
}
