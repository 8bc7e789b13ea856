/** The end of a service: in order with one signal, at once with two. */
import { describe, expect, test } from "vitest";
import { descendantsOf, isAlive, makePlace, type Place, until } from "./support/cli.ts";
import { docx } from "./support/docx.ts";
import { head, statusesIn, type Wire, wire } from "./support/raw.ts";
import {
  batchOf,
  letters,
  type ServiceProcess,
  serveProcess,
  TOKEN,
  WORK_SECONDS,
} from "./support/serve.ts";

const WORDS = 300;
const PDFS = 12;
const LATE = "late.docx";

/** A service with much to do, some of it done, and a client that has sent half of an upload. */
async function busyService(): Promise<{
  readonly place: Place;
  readonly service: ServiceProcess;
  readonly folder: string;
  readonly batches: readonly string[];
  readonly upload: Wire;
  finishUpload(): Promise<boolean>;
}> {
  const place = await makePlace();
  const service = await serveProcess(place);
  const file = await service.upload("letter.docx", docx(["Dear {{name}}"]));
  const folder = await service.folder("out");
  const begin = async (count: number, outputType: "docx" | "pdf") => {
    const entries = letters(count).map((entry) => ({
      ...entry,
      generated_file_name: `${outputType}-${entry.generated_file_name}`,
    }));
    const body = batchOf(file, folder, entries, outputType);
    return (await service.ask("/2.0/docgen_batches", { body })).body.id as string;
  };
  const batches = [await begin(PDFS, "pdf"), await begin(WORDS, "docx")];
  const parts = [
    '--xx\r\ncontent-disposition: form-data; name=attributes\r\n\r\n{"name":"late.docx",',
    '"parent":{"id":"0"}}\r\n--xx\r\ncontent-disposition: form-data; name=file; filename=a\r\n\r\nxyz\r\n--xx--\r\n',
  ];
  const upload = await wire(service.port);
  await upload.write(
    head("POST /2.0/files/content", {
      authorization: `Bearer ${TOKEN}`,
      "content-type": "multipart/form-data; boundary=xx",
      "content-length": String(parts.join("").length),
    }) + parts[0],
  );
  await until(
    "there is a PDF",
    async () => {
      const { body } = await service.ask(`/2.0/docgen_batches/${batches[0]}`);
      return body.counts.completed > 0;
    },
    WORK_SECONDS,
  );
  return {
    place,
    service,
    folder,
    batches,
    upload,
    finishUpload: () => upload.write(parts[1] ?? ""),
  };
}

/** That the next start does what is left, and that everything is there once. */
async function expectTheRest(
  place: Place,
  folder: string,
  batches: readonly string[],
): Promise<ServiceProcess> {
  const service = await serveProcess(place);
  for (const batch of batches) {
    const { counts } = await service.finished(batch);
    expect(counts).toMatchObject({ failed: 0, completed_with_error: 0 });
  }
  const names = (await service.items(folder)).map(({ name }) => name);
  expect([names.length, new Set(names).size]).toEqual([WORDS + PDFS, WORDS + PDFS]);
  expect(names.filter((name) => name.includes("("))).toEqual([]);
  return service;
}

describe.skipIf(process.platform !== "linux")("A service that is told to stop", () => {
  test("answers what is under way, takes nothing new, and leaves the rest to the next start", async () => {
    const { place, service, folder, batches, upload, finishUpload } = await busyService();
    const probe = await wire(service.port);
    await probe.write("GET /readyz HTTP/1.1\r\nhost: service\r\n");
    const writer = await wire(service.port);
    const body = '{"name":"new","parent":{"id":"0"}}';
    await writer.write("POST /2.0/folders HTTP/1.1\r\nhost: service\r\n");
    // So that all three are under way before the signal.
    expect((await service.ask("/readyz")).status).toBe(200);
    const processes = descendantsOf(service.process.pid);
    expect(processes.length).toBeGreaterThan(0);
    const ended = service.stop();
    await until("it says so", () => service.stderr().includes("Shutting down"));
    await probe.write("\r\n");
    await writer.write(
      [
        `authorization: Bearer ${TOKEN}`,
        "content-type: application/json",
        `content-length: ${body.length}`,
        "",
        body,
      ].join("\r\n"),
    );
    await finishUpload();
    expect(await probe.closed()).toMatch(/^HTTP\/1\.1 503 .*"code":"unavailable"/s);
    expect(await writer.closed()).toMatch(/^HTTP\/1\.1 503 .*\r\nretry-after: \d+\r\n/is);
    expect(statusesIn(await upload.closed())).toEqual([201]);
    await expect(service.ask("/readyz")).rejects.toThrow();
    const { code, signal, stderr } = await ended;
    expect([code, signal]).toEqual([0, null]);
    expect(stderr).not.toMatch(/error|bug/i);
    expect(processes.filter(isAlive)).toEqual([]);
    expect(await place.names("tmp")).toEqual([]);
    const next = await expectTheRest(place, folder, batches);
    const { body: root } = await next.ask("/2.0/folders/0/items");
    expect(root.entries.map(({ name }: { name: string }) => name)).toContain(LATE);
  }, 240_000);

  test("goes on answering for as long as it drains, but for new work", async () => {
    const place = await makePlace();
    const service = await serveProcess(place, { args: ["--drain", "600"] });
    service.process.kill("SIGTERM");
    await until("it says so", () => service.stderr().includes("Shutting down"));
    expect((await service.ask("/readyz")).status).toBe(503);
    expect((await service.ask("/2.0/folders/0/items")).status).toBe(200);
    const made = await service.ask("/2.0/folders", { body: { name: "a", parent: { id: "0" } } });
    expect(made.status).toBe(503);
  });

  test("twice ends at once; what it had in work is done by the next start", async () => {
    const { place, service, folder, batches } = await busyService();
    const processes = descendantsOf(service.process.pid);
    const ended = service.stop();
    await until("it says so", () => service.stderr().includes("Shutting down"));
    // The upload that is under way would keep it for seconds.
    service.process.kill("SIGTERM");
    const { code, signal } = await ended;
    expect([code, signal]).toEqual([130, null]);
    await until("nothing of it is left", () => !processes.some(isAlive));
    await expectTheRest(place, folder, batches);
  }, 240_000);
});
