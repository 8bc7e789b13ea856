/** Tests a lane alone, without the pool. */
import { join } from "node:path";
import { expect } from "vitest";
import { isGone } from "../src/office/proc.ts";
import { SEALED } from "../src/office/seal.ts";
import { startLane } from "../src/supervisor/lane.ts";
import { textDocx } from "./docx.ts";
import { lanesIn, slowTest, testFolder } from "./laboratory.ts";

slowTest("a document is not to blame for a lane that ended before it was sent", async () => {
  const tempDir = await testFolder();
  const { signal } = new AbortController();
  const lane = await startLane(
    {
      mode: "fresh", // starts LibreOffice only with its first document, and this test sends none
      folder: join(tempDir, "lane-1"),
      profile: await testFolder(),
      soffice: "soffice",
      fontFolders: [],
      enclosure: null,
      bounds: { network: false, files: false, processes: false, calls: false, room: false },
      limits: { memoryMb: 4000, fileMb: 10, cpuSeconds: 10 },
      seal: SEALED,
      environment: {},
      startLimitMs: 10_000,
    },
    signal,
  );
  const [{ pid } = expect.fail()] = lanesIn(tempDir);
  process.kill(pid, "SIGKILL");
  while (!isGone(pid)); // Node notices the end later, in its event loop.
  const request = {
    documents: [{ bytes: textDocx("x"), rendered: true }],
    pdf: {},
    fonts: "off",
    group: null,
    proven: [],
  } as const;
  await expect(lane.convert(request, 10_000, signal)).rejects.toMatchObject({ end: "lost" });
});
