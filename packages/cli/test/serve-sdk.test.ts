/** `quire serve` with the official SDK, which uses it like the hosted service. */
import { writeFile } from "node:fs/promises";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import type { BoxClient } from "box-node-sdk";
import { getDocumentProxy } from "unpdf";
import { describe, expect, test } from "vitest";
import { makePlace, until } from "./support/cli.ts";
import { docx, linesOf } from "./support/docx.ts";
import { exampleData, exampleTemplate, sdkClient, serve, WORK_SECONDS } from "./support/serve.ts";

type Job = NonNullable<
  Awaited<ReturnType<BoxClient["docgen"]["getDocgenBatchJobByIdV2025R0"]>>["entries"]
>[number];

/** Returns all jobs of a batch. Reads them in pages of `limit` jobs. */
async function jobsOf(client: BoxClient, batch: string, limit: number): Promise<Job[]> {
  const jobs: Job[] = [];
  for (let marker: string | undefined; ; ) {
    const queryParams = { limit, ...(marker === undefined ? {} : { marker }) };
    const page = await client.docgen.getDocgenBatchJobByIdV2025R0(batch, { queryParams });
    const { entries = [], nextMarker } = page;
    expect(entries.length).toBeLessThanOrEqual(limit);
    jobs.push(...entries);
    if (!nextMarker) return jobs;
    marker = nextMarker;
  }
}

async function endedJobsOf(client: BoxClient, batch: string, limit: number): Promise<Job[]> {
  let jobs: Job[] = [];
  await until(
    "all jobs have ended",
    async () => {
      jobs = await jobsOf(client, batch, limit);
      return jobs.every(({ status }) => /^(completed|completed_with_error|failed)$/.test(status));
    },
    WORK_SECONDS,
  );
  return jobs;
}

async function download(client: BoxClient, job: Job | undefined): Promise<Buffer> {
  const stream = await client.downloads.downloadFile(job?.outputFile?.id ?? "");
  return buffer(stream as Readable);
}

describe("A service, through the SDK", () => {
  test("makes documents from a template, and removes everything again", async () => {
    const place = await makePlace();
    const { url } = await serve(place);
    const client = sdkClient(url);

    // A folder, a template in it, and its tags as soon as they are available.
    const folder = await client.folders.createFolder({ name: "letters", parent: { id: "0" } });
    const uploaded = await client.uploads.uploadFile({
      attributes: { name: "letter.docx", parent: { id: folder.id } },
      file: Readable.from([await exampleTemplate("letter.docx")]),
    });
    const file = uploaded.entries?.[0];
    if (file === undefined) throw new Error("Nothing was uploaded.");
    const { id } = file;
    await client.docgenTemplate.createDocgenTemplateV2025R0({ file: { type: "file", id } });
    let tags: string[] = [];
    await until("the tags are there", async () => {
      const { entries } = await client.docgenTemplate.getDocgenTemplateTagsV2025R0(id);
      tags = (entries ?? []).map((tag) => tag.tagContent);
      return entries !== undefined;
    });
    expect(tags).toContain("{{customer.name}}");

    // One batch makes .docx files and the other one PDFs, both from the template's first version.
    const data = await exampleData("letter.json");
    const begin = async (outputType: string, count: number, fileName: string) => {
      const { id: batch } = await client.docgen.createDocgenBatchV2025R0({
        file: { type: "file", id },
        inputSource: "api",
        destinationFolder: { type: "folder", id: folder.id },
        outputType,
        documentGenerationData: Array.from({ length: count }, (_, index) => ({
          generatedFileName: `${fileName}-${index + 1}`,
          userInput: {
            ...data,
            customer: { ...(data.customer as object), name: `Ann ${index + 1}` },
          },
        })),
      });
      return batch;
    };
    const [inWord, inPdf] = [await begin("docx", 5, "word"), await begin("pdf", 3, "pdf")];

    // Rename the template and add a version: batches that started before keep the old version.
    const renamed = await client.files.updateFileById(id, { requestBody: { name: "new.docx" } });
    expect(renamed.name).toBe("new.docx");
    await client.uploads.uploadFileVersion(id, {
      attributes: { name: "new.docx" },
      file: Readable.from([docx(["Short: {{customer.name}}"])]),
    });
    const versions = await client.fileVersions.getFileVersions(id);
    expect(versions.entries?.map((version) => version.id)).toContain(file.fileVersion?.id);

    const words = await endedJobsOf(client, inWord, 2);
    expect(words.map(({ status }) => status)).toEqual(Array(5).fill("completed"));
    expect(words.map((job) => job.templateFileVersion.id)).toEqual(
      Array(5).fill(file.fileVersion?.id),
    );
    for (const [index, job] of words.entries()) {
      await writeFile(place.path("word.docx"), await download(client, job));
      const lines = await linesOf(place.path("word.docx"));
      expect(lines).toContain(`Ann ${index + 1}`);
      expect(lines.join("\n")).toContain("2 February 2026");
    }
    const pdfs = await endedJobsOf(client, inPdf, 2);
    expect(pdfs.map(({ status, outputType }) => [status, outputType])).toEqual(
      Array(3).fill(["completed", "pdf"]),
    );
    for (const [index, job] of pdfs.entries()) {
      const pdf = await getDocumentProxy(new Uint8Array(await download(client, job)));
      const { items } = await (await pdf.getPage(1)).getTextContent();
      expect(items.map((item) => ("str" in item ? item.str : "")).join("")).toContain(
        `Ann ${index + 1}`,
      );
    }

    // New batches use the new version.
    const [short] = await endedJobsOf(client, await begin("docx", 1, "short"), 1);
    await writeFile(place.path("short.docx"), await download(client, short));
    expect(await linesOf(place.path("short.docx"))).toEqual(["Short: Ann 1"]);

    // Unmark the file as a template, then delete everything.
    await client.docgenTemplate.deleteDocgenTemplateByIdV2025R0(id);
    await expect(client.docgenTemplate.getDocgenTemplateByIdV2025R0(id)).rejects.toMatchObject({
      responseInfo: { statusCode: 404, body: { code: "not_found" } },
    });
    await client.folders.deleteFolderById(folder.id, { queryParams: { recursive: true } });
    await expect(client.files.getFileById(id)).rejects.toMatchObject({
      responseInfo: { statusCode: 404 },
    });
  }, 300_000);

  test("returns errors in the form that the SDK reads", async () => {
    const place = await makePlace();
    const { url } = await serve(place, { args: ["--no-pdf"] });
    const client = sdkClient(url);
    const unknown = await client.files.getFileById("1234567").catch((error: unknown) => error);
    expect(unknown).toMatchObject({
      name: "BoxApiError",
      responseInfo: {
        statusCode: 404,
        // The SDK keeps strings as JSON.
        code: '"not_found"',
        requestId: expect.stringMatching(/^"[0-9a-f-]{36}"$/),
        helpUrl: `"${url}/docs/errors#not_found"`,
        body: { type: "error", status: 404, code: "not_found", context_info: null },
      },
    });
    const parent = { id: "0" };
    await client.folders.createFolder({ name: "twice", parent });
    await expect(client.folders.createFolder({ name: "Twice", parent })).rejects.toMatchObject({
      responseInfo: { statusCode: 409, body: { code: "conflict" } },
    });
    // A developer token cannot be refreshed: the SDK reports that after the first 401.
    const stranger = sdkClient(url, {
      token: "a-token-of-nobody",
      retryStrategy: { shouldRetry: async () => false, retryAfter: () => 0 },
    });
    await expect(stranger.folders.getFolderItems("0")).rejects.toMatchObject({
      responseInfo: { statusCode: 401, body: { code: "unauthorized" } },
    });
  }, 60_000);

  test("reports in one answer that it does not make PDFs", async () => {
    const place = await makePlace();
    const service = await serve(place, { args: ["--no-pdf"] });
    const client = sdkClient(service.url);
    const id = await service.upload("letter.docx", docx(["Dear {{name}}"]));
    const begun = client.docgen.createDocgenBatchV2025R0({
      file: { type: "file", id },
      inputSource: "api",
      destinationFolder: { type: "folder", id: await service.folder("out") },
      outputType: "pdf",
      documentGenerationData: [{ generatedFileName: "one", userInput: { name: "Ann" } }],
    });
    await expect(begun).rejects.toMatchObject({
      responseInfo: {
        statusCode: 400,
        body: {
          code: "bad_request",
          message: expect.stringMatching(/^This service cannot make PDFs .+ docx/),
          context_info: { errors: [{ path: "/output_type", code: "no_converter" }] },
        },
      },
    });
    await service.stop();
    expect(service.stdout().match(/docgen_batches/g)).toHaveLength(1);
  }, 60_000);
});
