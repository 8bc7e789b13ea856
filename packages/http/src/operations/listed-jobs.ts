import type { Engine, Job } from "@quire/core/host";
import type { Answer } from "../openapi/operation.ts";
import { pageAnswer, pageRequest } from "../request/paging.ts";
import { wireJob } from "../wire/jobs.ts";
import type { DocGenCall } from "./doc-gen.ts";

/** The query parameters of a listing. */
type PageQuery = Parameters<typeof pageRequest>[0];
type Filter = Pick<Parameters<Engine["listJobs"]>[0], "batchId" | "caller" | "template">;

/** Returns the requested page of the tenant's jobs. `scope` identifies the listing, see {@link pageRequest}. */
export async function listedJobs(
  { query, service, who }: Pick<DocGenCall<PageQuery>, "query" | "service" | "who">,
  scope: readonly string[],
  filter: Filter,
  entriesOf: (jobs: readonly Job[]) => Promise<readonly unknown[]> = async (jobs) =>
    jobs.map(wireJob),
): Promise<Answer> {
  const page = pageRequest(query, ...scope);
  const { limit, marker } = page;
  const { items, nextMarker } = await service.engine.listJobs({
    ...filter,
    tenant: who.enterprise,
    limit,
    maxBytes: service.limits.answerBytes,
    ...(marker === undefined ? {} : { marker }),
  });
  const entries = await entriesOf(items);
  return { status: 200, body: pageAnswer(page, entries, nextMarker, ...scope) };
}
