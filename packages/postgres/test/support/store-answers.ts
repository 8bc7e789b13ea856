import type { BatchRecord, JobRecord, JobStatus, JobWithInput, RecordPage } from "@quire/contracts";
import type { PostgresStores } from "../../src/index.ts";
import { TENANTS } from "./data-folder.ts";

const STATUSES: readonly JobStatus[] = [
  "submitted",
  "pending",
  "completed",
  "completed_with_error",
  "failed",
];

/** Everything that the stores answer to questions that change nothing. Page markers differ between kinds of stores. */
export async function answersOf(stores: PostgresStores): Promise<object> {
  const { jobs, tokens, tenants, files } = stores;
  const batches = await all<BatchRecord>((marker) => jobs.listBatches({ limit: 4, ...marker }));
  const byTenant = await Promise.all(TENANTS.map((tenant) => answersFor(stores, tenant)));
  return {
    batches,
    jobs: await Promise.all(batches.map((batch) => jobAnswers(stores, batch))),
    byCaller: await jobs.listBatches({ limit: 50, caller: "ann" }),
    byTemplate: await all((marker) =>
      jobs.listJobs({ order: "entry", limit: 3, template: "letter.docx", ...marker }),
    ),
    depth: await jobs.gauge.depth(),
    most: await jobs.gauge.use(),
    tokens: await tokens.list(),
    tenants: await tenants.list(),
    audit: await tenants.audit(100),
    discarded: await files.discarded(),
    byTenant,
  };
}

async function jobAnswers({ jobs }: PostgresStores, { id, counts }: BatchRecord): Promise<object> {
  const list = await all<JobRecord>((marker) =>
    jobs.listJobs({ order: "entry", limit: 2, batchId: id, ...marker }),
  );
  const inputs: (JobWithInput | null)[] = [];
  for (const { entry } of list) inputs.push(await jobs.getJob(id, entry));
  const ended = await jobs.listJobs({ limit: 100, batchId: id, order: "ended" });
  const byStatus = await Promise.all(
    STATUSES.map((status) =>
      all((marker) => jobs.listJobs({ order: "entry", limit: 2, batchId: id, status, ...marker })),
    ),
  );
  return { id, list, counts, inputs: inputs.map(plain), ended: ended.items, byStatus };
}

function plain(job: JobWithInput | null): object {
  const { input = null } = job ?? {};
  const bytes = input && Buffer.from(input.bytes).toString();
  return { ...job, input: input && { ...input, bytes } };
}

async function answersFor(stores: PostgresStores, tenant: string): Promise<object> {
  const { jobs, files, templates, tokens, webhooks, tenants } = stores;
  const slug = tenant.replaceAll("\0", "0");
  const key = { type: "folder", storageId: `tenants/${slug}` } as const;
  const root = await files.find(tenant, key);
  const top = await files.list(tenant, root?.id ?? "", { limit: 10 });
  const inner = await files.list(tenant, top.items[0]?.id ?? "", { limit: 10 });
  return {
    tenant,
    use: [await jobs.gauge.use(tenant), await files.use(tenant), await webhooks.use(tenant)],
    root,
    top,
    inner,
    second: await files.list(tenant, inner.items[0]?.parentId ?? "", { limit: 10, offset: 1 }),
    versions: await files.versions(tenant, inner.items[0]?.id ?? ""),
    templates: await templates.list(tenant, { limit: 10 }),
    token: await tokens.find(`hash ${tenant}`),
    webhooks: await webhooks.list(tenant, { limit: 10 }),
    wanting: await webhooks.wanting(tenant, "DOCGEN.BATCH_FINISHED", [
      { type: "folder", id: top.items[0]?.id ?? "" },
    ]),
    record: await tenants.find(tenant),
  };
}

/** What the stores give to a worker, a sender of webhooks and a sweep. This changes the stores. */
export async function handedOutBy(stores: PostgresStores): Promise<object> {
  const { jobs, webhooks, files } = stores;
  const worker = await jobs.openWorker({ takes: "all", leaseMs: 60_000, keepFinishedMs: null });
  const events = await worker.takeEvents(1000);
  const { jobs: claims, suspects } = await worker.claim(100);
  const suspect = await worker.claim(1, { alone: true });
  const pinned: string[] = [];
  for (const { id } of (await jobs.listBatches({ limit: 100 })).items) {
    for (const file of ["letter.docx", "large.docx", "main.docx", "part.docx"]) {
      const bytes = await worker.pinned(id, file, async () => new Uint8Array());
      pinned.push(`${id} ${file} ${Buffer.from(bytes).toString("base64")}`);
    }
  }
  const leftovers: object[] = [];
  await files.sweep(async (leftover) => void leftovers.push(leftover));
  const deliveries = await webhooks.take(100, 60_000);
  await worker.close();
  return {
    claims: [...claims, ...suspect.jobs].map(({ input, ...claim }) => ({
      ...claim,
      input: Buffer.from(input.bytes).toString(),
    })),
    suspects,
    events,
    pinned,
    leftovers,
    deliveries,
  };
}

type Marker = { readonly marker?: string };

/** Returns the items of all pages. */
export async function all<Item>(
  page: (marker: Marker) => Promise<RecordPage<Item>>,
): Promise<Item[]> {
  const items: Item[] = [];
  for (let marker: string | null | undefined; marker !== null; ) {
    const next: RecordPage<Item> = await page(marker === undefined ? {} : { marker });
    items.push(...next.items);
    marker = next.nextMarker;
  }
  return items;
}
