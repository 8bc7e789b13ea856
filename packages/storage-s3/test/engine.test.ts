import { createHash } from "node:crypto";
import { createEngine, type Job, renderInProcess } from "@quire/core";
import { beforeAll, expect, test } from "vitest";
import { docx } from "../../cli/test/support/docx.ts";
import { s3Storage } from "../src/index.ts";
import { faultProxy, faults } from "./support/fault-proxy.ts";
import { keysIn, makePlace, type Place, START_TIMEOUT_MS } from "./support/place.ts";

let place: Place;

beforeAll(async () => {
  place = await makePlace();
}, START_TIMEOUT_MS);

const IN_TURN = [
  faults.answer(500, "InternalError"),
  faults.resetAfter,
  faults.answer(503, "SlowDown"),
  faults.failAfter,
  faults.truncate,
  faults.resetBefore,
];

test("a batch over a bad connection creates each document once, and reports its hash", async () => {
  let requests = 0;
  await using proxy = await faultProxy(place.options.endpoint, () => {
    requests += 1;
    return requests % 4 === 0 ? (IN_TURN[(requests / 4) % IN_TURN.length] ?? null) : null;
  });
  const straight = s3Storage(place.options);
  const root = { type: "folder", id: "." } as const;
  await straight.create(root, "letter.docx", docx(["Dear {{name}}"]));
  const storage = s3Storage({ ...place.options, endpoint: proxy.endpoint });
  await using engine = createEngine({ storage, renderer: renderInProcess(), concurrency: 8 });
  const batch = await engine.createBatch({
    file: { type: "file", id: "letter.docx" },
    input_source: "api",
    destination_folder: { type: "folder", id: "out" },
    output_type: "docx",
    document_generation_data: Array.from({ length: 60 }, (_, index) => ({
      generated_file_name: `n${index}`,
      user_input: { name: `Ann ${index}` },
    })),
  });
  const jobs: Job[] = [];
  for await (const job of engine.jobs(batch.id)) jobs.push(job);
  expect(jobs.map(({ status, failure }) => [status, failure?.message])).toEqual(
    Array.from({ length: 60 }, () => ["completed", undefined]),
  );
  expect(await keysIn(place, "out/")).toHaveLength(60);
  for (const { outputFile, sha256 } of jobs) {
    if (outputFile === null) continue;
    const { bytes } = await straight.read(outputFile.ref, { version: outputFile.version });
    expect(createHash("sha256").update(bytes).digest("hex")).toBe(sha256);
  }
}, 120_000);
