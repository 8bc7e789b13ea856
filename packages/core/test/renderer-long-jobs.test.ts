import { expect, test } from "vitest";
import { pool } from "../../render-pool/test/support/pool.ts";
import { ITEMS, PREEMPTING, QUICK, SLOW } from "../../render-pool/test/support/preemption.ts";
import { createEngine, memoryStorage } from "../src/index.ts";
import { all, entry, request } from "./support/engine.ts";

test("a tenant's quick documents pass its slow one, which is created later", async () => {
  await using renderer = pool(PREEMPTING);
  const storage = memoryStorage({
    folders: ["out"],
    files: { "slow.docx": SLOW, "quick.docx": QUICK },
  });
  const ended: string[] = [];
  const engine = createEngine({
    storage,
    renderer,
    onEvent: async (event) => {
      if (event.type === "batch_finished") ended.push(event.batch.id);
    },
  });
  const of = (id: string) => ({ file: { type: "file", id } }) as const;
  const slow = await engine.createBatch(request([entry("slow", ITEMS)], of("slow.docx")));
  const quick = await engine.createBatch(request([entry("quick")], of("quick.docx")));
  for (const { id } of [quick, slow]) {
    expect(await all(engine.jobs(id))).toMatchObject([{ status: "completed", failure: null }]);
  }
  await engine.close();
  expect(ended).toEqual([quick.id, slow.id]);
});
