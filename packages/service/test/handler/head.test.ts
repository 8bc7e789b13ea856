import { expect, test } from "vitest";
import { LETTER, testService } from "../support/service.ts";

test("HEAD responds like GET without the body, and holds nothing: downloads and streams still work after thousands", async () => {
  const service = await testService({
    limits: { heldBytes: 3 * LETTER.length, streams: 2, requestsPerMinute: 100_000 },
  });
  const file = await service.upload("letter.docx", LETTER);
  const folder = await service.folder("out");
  const batch = await service.batch(file, folder, [{ generated_file_name: "a", user_input: {} }]);
  for (let count = 0; count < 50; count += 1) {
    const download = await service.fetch(`/2.0/files/${file}/content`, { method: "HEAD" });
    expect([download.status, download.body]).toEqual([200, null]);
    expect(download.headers.get("content-length")).toBe(String(LETTER.length));
    const events = await service.fetch(`/2.0/docgen_batches/${batch}/events`, { method: "HEAD" });
    expect([events.status, events.body]).toEqual([200, null]);
  }
  const download = await service.fetch(`/2.0/files/${file}/content`);
  expect(new Uint8Array(await download.arrayBuffer())).toEqual(LETTER);
});
