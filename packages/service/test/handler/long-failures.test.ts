import { memoryWebhookStore, type NewDelivery } from "@quire/core";
import { expect, test } from "vitest";
import { docx, p } from "../../../ooxml/test/support/docx.ts";
import {
  memoryStores,
  ORIGIN,
  type TestService,
  testService,
  WEBHOOKS,
} from "../support/service.ts";

/** Returns a template of `count` paragraphs, each with a tag of this length. */
function longTags(count: number, length: number): Uint8Array {
  const tag = (index: number): string => p(`{{a${index}.${"b".repeat(length)}}}`);
  return docx({ body: Array.from({ length: count }, (_, index) => tag(index)).join("") });
}

/** Returns entries that lack the data for their template. */
function emptyEntries(count: number): object[] {
  return Array.from({ length: count }, (_, index) => ({
    generated_file_name: `d${index}`,
    user_input: {},
  }));
}

interface Page {
  readonly bytes: number;
  // biome-ignore lint/suspicious/noExplicitAny: an answer may be anything
  readonly entries: readonly any[];
}

/** Returns all pages of a listing. */
async function pagesOf(service: TestService, path: string): Promise<Page[]> {
  const pages: Page[] = [];
  for (let marker: string | null = "0"; marker !== null; ) {
    const { status, body } = await service.ask(`${path}?limit=1000&marker=${marker}`);
    expect(status).toBe(200);
    expect(body.entries.length, "Each page has entries.").toBeGreaterThan(0);
    pages.push({ bytes: bytesOf(body), entries: body.entries });
    marker = body.next_marker;
  }
  return pages;
}

function bytesOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}

test("listings of jobs with long failures end early, and their pages contain all jobs", async () => {
  const answerBytes = 200_000;
  const service = await testService({ limits: { answerBytes } });
  const file = await service.upload("long.docx", longTags(100, 10_000));
  const batch = await service.batch(file, "0", emptyEntries(20));
  await service.finished(batch);
  await service.ask("/2.0/docgen_templates", { body: { file: { type: "file", id: file } } });
  for (const path of [
    `/2.0/docgen_batch_jobs/${batch}`,
    `/2.0/docgen_template_jobs/${file}`,
    "/2.0/docgen_jobs",
  ]) {
    const pages = await pagesOf(service, path);
    const jobs = pages.flatMap(({ entries }) => entries);
    expect(new Set(jobs.map(({ id }) => id)).size, path).toBe(20);
    expect(pages.length, path).toBeGreaterThan(1);
    for (const { bytes } of pages) expect(bytes, path).toBeLessThan(answerBytes + 20_000);
    for (const { status, failures } of jobs) {
      expect(status).toBe("completed_with_error");
      expect(bytesOf(failures)).toBeLessThan(65_536);
      expect(failures.errors.at(-1)).toMatch(/^… and \d+ more/);
    }
  }
});

test("a listing of long tags ends early, and shows each tag as written", async () => {
  const answerBytes = 50_000;
  const service = await testService({ limits: { answerBytes } });
  const file = await service.upload("long.docx", longTags(10, 20_000));
  await service.ask("/2.0/docgen_templates", { body: { file: { type: "file", id: file } } });
  await expect
    .poll(async () => (await service.ask(`/2.0/docgen_templates/${file}/tags`)).status)
    .toBe(200);
  const pages = await pagesOf(service, `/2.0/docgen_templates/${file}/tags`);
  const tags = pages.flatMap(({ entries }) => entries);
  expect(tags.map(({ tag_content }) => tag_content.length)).toEqual(
    Array.from({ length: 10 }, () => 20_007),
  );
  expect(pages.map(({ entries }) => entries.length)).toEqual(Array.from({ length: 10 }, () => 1));
});

test("a check limits its report to the size of a response, and counts the rest for each entry", async () => {
  const answerBytes = 100_000;
  const service = await testService({ limits: { answerBytes } });
  const file = await service.upload("long.docx", longTags(100, 10_000));
  const request = {
    file: { type: "file", id: file },
    input_source: "api",
    destination_folder: { type: "folder", id: "0" },
    output_type: "docx",
    document_generation_data: emptyEntries(20),
  };
  const { status, body } = await service.ask("/2.0/docgen_batches/check", { body: request });
  expect(status).toBe(200);
  expect(body.entries).toHaveLength(20);
  expect(bytesOf(body)).toBeLessThan(answerBytes + 20_000);
  for (const { failures } of body.entries) {
    expect(failures.errors.at(-1)).toMatch(/^… and \d+ more, which are not listed/);
  }
});

test("a delivery contains the first failures and the id of the job that has them all", async () => {
  const sent: NewDelivery[] = [];
  const webhooks = memoryWebhookStore();
  const { enqueue } = webhooks;
  webhooks.enqueue = async (deliveries) => {
    sent.push(...deliveries);
    await enqueue.call(webhooks, deliveries);
  };
  const stores = { ...memoryStores(), webhooks };
  const service = await testService({ webhooks: WEBHOOKS, stores });
  const target = { type: "folder", id: "0" };
  const triggers = ["DOCGEN_DOCUMENT_GENERATION_SUCCEEDED"];
  for (let hook = 0; hook < 10; hook += 1) {
    const address = `https://hooks.invalid/${hook}`;
    const { status } = await service.ask("/2.0/webhooks", { body: { target, address, triggers } });
    expect(status).toBe(201);
  }
  const file = await service.upload("long.docx", longTags(100, 10_000));
  const batch = await service.batch(file, "0", emptyEntries(1));
  await service.finished(batch);
  await expect.poll(() => sent.length).toBe(10);
  for (const { body } of sent) {
    expect(body.length).toBeLessThan(4_000);
    const { id, type, failures } = JSON.parse(body).source;
    expect([id, type]).toEqual([`${batch}-1`, "docgen_job"]);
    expect(failures.errors).toHaveLength(4);
    expect(failures.errors[0]).toMatch(/^The tag 'a0\.b+…' was not provided in the input data\.$/);
    expect(failures.errors[3]).toBe(`… and 97 more: see the job ${batch}-1.`);
    expect(failures.warnings).toEqual([]);
  }
});

test("a rejection cuts quotes from the request, and limits the list of problems by size", async () => {
  const service = await testService();
  const file = await service.upload("short.docx", longTags(1, 1));
  const long = "b".repeat(100_000);
  const { status, body } = await service.ask("/2.0/docgen_batches", {
    body: {
      file: { type: "file", id: file },
      input_source: long,
      destination_folder: { type: "folder", id: long.slice(0, 1_000) },
      output_type: long,
      document_generation_data: Array.from({ length: 9_000 }, () => ({
        generated_file_name: long.slice(0, 900),
        user_input: 1,
      })),
    },
  });
  expect(status).toBe(400);
  expect(body.message.length).toBeLessThan(1_100);
  expect(bytesOf(body)).toBeLessThan(1_010_000);
  expect(body.context_info.errors.length).toBeGreaterThan(100);
});

test("listings that their client does not read share the room of downloads until they are read or dropped", async () => {
  const service = await testService({ limits: { heldBytes: 600_000 } });
  const file = await service.upload("long.docx", longTags(100, 300));
  const batch = await service.batch(file, "0", emptyEntries(25));
  await service.finished(batch);
  const list = () =>
    service.service.handler(
      new Request(`${ORIGIN}/2.0/docgen_batch_jobs/${batch}?limit=1000`, {
        headers: { authorization: "Bearer token-of-ann", "service-version": "2025.0" },
      }),
    );
  const untaken: Response[] = [];
  for (let status = 200; status === 200 && untaken.length < 20; ) {
    const answer = await list();
    untaken.push(answer);
    status = answer.status;
  }
  const refused = untaken.pop();
  expect(refused?.status).toBe(429);
  expect(await refused?.text()).toContain("You have too many bytes in flight");
  const [first, ...others] = untaken;
  expect(Number(first?.headers.get("content-length"))).toBe(bytesOf(await first?.json()));
  const next = await list();
  expect([next.status, (await list()).status]).toEqual([200, 429]);
  for (const answer of [next, ...others]) await answer.body?.cancel();
  expect((await list()).status).toBe(200);
});
