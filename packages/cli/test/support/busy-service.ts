import { expect } from "vitest";
import { makePlace, type Place, until } from "./cli.ts";
import { docx } from "./docx.ts";
import { head, type Wire, wire } from "./raw.ts";
import {
  batchOf,
  letters,
  type ServiceProcess,
  serveProcess,
  TOKEN,
  WORK_SECONDS,
} from "./serve.ts";

const WORDS = 300;
const PDFS = 12;
export const LATE = "late.docx";

/** Starts a service with many jobs, some of them done, and a client that has sent half of an upload. */
export async function busyService(): Promise<{
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
    "a PDF exists",
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

/** Expects that the next start finishes the jobs, and that every document exists once. */
export async function expectTheRest(
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
