import { expect, test } from "vitest";
import { docx, p } from "../../ooxml/test/support/docx.ts";
import { unzipped } from "../../ooxml/test/support/unzip.ts";
import { WEBP, webpChunk, webpFile } from "../../ooxml/test/support/webp.ts";
import { memoryStorage } from "../src/index.ts";
import { all, entry, makeEngine, request } from "./support/engine.ts";

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47]);

test("a damaged WebP image fails only its own entry, and the others have a PNG", async () => {
  const storage = memoryStorage({
    folders: ["out"],
    files: {
      "letter.docx": docx({ body: p("{{person.photo}}") }),
      "a.webp": WEBP.alpha,
      // The headers are intact, so only the decoder notices.
      "damaged.webp": webpFile(webpChunk("VP8 ", WEBP.lossy.subarray(20, 80))),
    },
  });
  await using engine = makeEngine({ storage });
  const photo = (id: string) => ({ person: { photo: { type: "file", id } } });
  const entries = [
    entry("one", photo("a.webp")),
    entry("damaged", photo("damaged.webp")),
    entry("two", photo("a.webp")),
  ];
  const batch = await engine.createBatch(request(entries, { on_missing: "fail" }));
  const jobs = await all(engine.jobs(batch.id));
  expect(jobs.map(({ status }) => status)).toEqual(["completed", "failed", "completed"]);
  expect(jobs[1]?.errors).toMatchObject([
    {
      code: "invalid_value",
      pointer: "/person/photo",
      message: "The value for the tag {{person.photo}} is a WebP image that cannot be decoded.",
    },
  ]);
  for (const job of [jobs[0], jobs[2]]) {
    const { bytes } = await storage.read(job?.outputFile?.ref ?? expect.fail());
    const media = [...unzipped(bytes)].filter(([name]) => name.startsWith("word/media/"));
    expect(media.map(([, content]) => content.subarray(0, 4))).toEqual([PNG]);
  }
});
