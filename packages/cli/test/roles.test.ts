/** `quire serve --no-work` and `quire work` as processes, over one data folder or one database. */
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import type { BoxClient } from "box-node-sdk";
import { describe, expect, test } from "vitest";
import { makePlace } from "./support/cli.ts";
import { makeDatabaseService } from "./support/database-service.ts";
import { docx, linesOf } from "./support/docx.ts";
import { batchOf, letters, sdkClient, serve, serveProcess, workProcess } from "./support/serve.ts";

const NAMES = letters(5).map((entry) => `${entry.generated_file_name}.docx`);

describe("A service whose documents other processes make", () => {
  test("works over one data folder", async () => {
    const place = await makePlace();
    const service = await serveProcess(place, { args: ["--no-work", "--rate", "0"] });
    expect(service.stderr()).toMatch(/^ +output +docx, pdf \(made by quire work\)$/m);
    expect(service.stderr()).toMatch(/^ +settings .*no work/m);
    const file = await service.upload("letter.docx", docx(["Dear {{name}}"]));
    const folder = await service.folder("out");
    const body = batchOf(file, folder, letters(5));
    const { body: batch } = await service.ask("/2.0/docgen_batches", { body });
    const worker = await workProcess(place, { args: ["--only", "docx"] });
    expect((await service.finished(batch.id)).counts.completed).toBe(5);
    expect((await service.items(folder)).map(({ name }) => name)).toEqual(NAMES);
    for (const path of ["/healthz", "/readyz", "/metrics"]) {
      expect([path, (await fetch(worker.url + path)).status]).toEqual([path, 200]);
    }
    const { code, stderr, stdout } = await worker.stop();
    expect([code, stdout]).toEqual([0, ""]);
    expect(stderr).toContain("gives the other jobs back");
  }, 60_000);

  test("works over a database and a shared folder, through the SDK and with every node", async () => {
    const { place, node, worker } = await makeDatabaseService();
    const args = ["--no-work"];
    const nodes = [await node({ args }), await node({ args })];
    const [one, other] = nodes.map(({ url }) => sdkClient(url)) as [BoxClient, BoxClient];
    await worker("--only", "docx");
    const folder = await one.folders.createFolder({ name: "out", parent: { id: "0" } });
    const uploaded = await other.uploads.uploadFile({
      attributes: { name: "letter.docx", parent: { id: folder.id } },
      file: Readable.from([docx(["Dear {{name}}"])]),
    });
    const id = uploaded.entries?.[0]?.id ?? "";
    const batch = await one.docgen.createDocgenBatchV2025R0({
      file: { type: "file", id },
      inputSource: "api",
      destinationFolder: { type: "folder", id: folder.id },
      outputType: "docx",
      documentGenerationData: letters(3).map(({ generated_file_name: name }) => ({
        generatedFileName: name,
        userInput: { name },
      })),
    });
    await nodes[1]?.finished(batch.id);
    const { entries = [] } = await other.docgen.getDocgenBatchJobByIdV2025R0(batch.id);
    expect(entries.map(({ status }) => status)).toEqual(Array(3).fill("completed"));
    const document = await one.downloads.downloadFile(entries[2]?.outputFile?.id ?? "");
    await place.write("letter.docx", await buffer(document as Readable));
    expect(await linesOf(place.path("letter.docx"))).toEqual(["Dear letter-3"]);
    await other.folders.deleteFolderById(folder.id, { queryParams: { recursive: true } });
    await expect(one.files.getFileById(id)).rejects.toMatchObject({
      responseInfo: { statusCode: 404 },
    });
  }, 60_000);

  test("rejects PDFs with --no-pdf, because no worker makes them", async () => {
    const place = await makePlace();
    const service = await serve(place, { args: ["--no-work", "--no-pdf"] });
    const file = await service.upload("letter.docx", docx(["Dear {{name}}"]));
    const body = batchOf(file, await service.folder("out"), letters(1), "pdf");
    const { status } = await service.ask("/2.0/docgen_batches", { body });
    expect(status).toBe(400);
  });
});

describe("quire work", () => {
  test("does not start without LibreOffice if it is to make PDFs", async () => {
    const place = await makePlace();
    const { code, stderr } = await place.quire(["work", "--soffice", "missing"]);
    expect([code, stderr]).toEqual([1, expect.stringContaining("no LibreOffice program")]);
    expect(stderr).toContain("--only docx");
  });

  test("names the option for its port if the port is in use", async () => {
    const place = await makePlace();
    const worker = await workProcess(place, { args: ["--only", "docx"] });
    const { port } = new URL(worker.url);
    const args = ["work", "--data", "data", "--only", "docx", "--health-port", port];
    const { code, stderr } = await place.quire(args);
    expect([code, stderr]).toEqual([1, expect.stringContaining("another port with --health-port")]);
  });
});

test("quire serve rejects --workers with --no-work", async () => {
  const place = await makePlace();
  const { code, stderr } = await place.quire(["serve", "--workers", "2", "--no-work"]);
  expect([code, stderr]).toEqual([1, expect.stringContaining("Remove one of them.")]);
});
