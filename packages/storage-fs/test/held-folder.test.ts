import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import { FolderHolder } from "../src/held-folder.ts";
import { makePlace } from "./support/place.ts";

test("a folder remains held for a caller that requests it while another caller releases it", async () => {
  await using place = await makePlace();
  const holder = new FolderHolder(place.root);
  await mkdir(join(place.root, "a"));
  await writeFile(join(place.root, "a", "x"), "");
  const use = async (turns: number): Promise<void> => {
    for (let round = 0; round < 100; round++) {
      const held = await holder.place("a/x");
      await held?.folder.verify();
      for (let turn = 0; turn < turns; turn++) await nextTurn();
      await held?.folder.release();
    }
  };
  await expect(Promise.all([use(0), use(1), use(2), use(3)])).resolves.toBeDefined();
});
