/** Shards that are killed many times, in one folder and in a bucket. */
import { readFile, rm } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { keysIn, START_TIMEOUT_MS } from "../../storage-s3/test/support/place.ts";
import { bucketPlace } from "./support/bucket-run.ts";
import { type Place, until } from "./support/cli.ts";
import { filesIn, namedPlace, namedRun, writeNamed } from "./support/shards.ts";

const SHARDS = 4;
const FLAGS = ["--on-conflict", "rename", "--no-check"];

/** Returns names of which a third are unique. The others clash, within a shard and across shards. */
function clashing(entries: number): string[] {
  return Array.from({ length: entries }, (_, index) =>
    index % 3 === 0
      ? `Ann ${index % 60}`
      : index % 3 === 1
        ? `letter ${index}`
        : `ANN ${index % 90}`,
  );
}

function shardArgs(out: string, index: number): string[] {
  return namedRun(out, ...FLAGS, "--shard", `${index}/${SHARDS}`);
}

/** Starts a shard until it ends by itself, and kills it after random times before. Returns the number of kills. */
async function killOften(
  place: Place,
  args: readonly string[],
  {
    kills,
    onKilled,
  }: { readonly kills: number; readonly onKilled: (kill: number) => Promise<void> },
): Promise<number> {
  for (let killed = 0; ; ) {
    const { process: child, ended } = place.start(args);
    const timer =
      killed < kills
        ? setTimeout(() => child.kill("SIGKILL"), 300 + Math.random() * 2500)
        : undefined;
    const { code, signal, stderr } = await ended;
    clearTimeout(timer);
    if (signal === null) {
      expect([code, code === 0 ? "" : stderr]).toEqual([0, ""]);
      return killed;
    }
    killed += 1;
    await onKilled(killed);
  }
}

describe(
  "shards that are killed at random moments",
  () => {
    test("write the files of one run, even if some lose their journal", {
      timeout: 600_000,
    }, async () => {
      const place = await namedPlace(clashing(3000));
      expect((await place.start(namedRun("whole", ...FLAGS)).ended).code).toBe(0);
      const kills = [1, 2, 3, 4].map((index) =>
        killOften(place, shardArgs("out", index), {
          kills: 6,
          onKilled: async (kill) => {
            if (index > 2 || kill % 2 === 0) return;
            for (const end of ["", "-wal", "-shm"]) {
              await rm(place.path(`out.shard-${index}.quire.db${end}`), { force: true });
            }
          },
        }),
      );
      expect(Math.max(...(await Promise.all(kills)))).toBeGreaterThan(1);
      expect(await filesIn(place, "out")).toEqual(await filesIn(place, "whole"));
      const journals = [1, 2, 3, 4].map((index) => `out.shard-${index}.quire.db`);
      const { code, stdout } = await place.quire(["verify", ...journals]);
      expect([code, stdout]).toEqual([
        0,
        expect.stringMatching(/^verified +3000|^verified +3,000/m),
      ]);
    });

    test("write the documents of one run into a bucket", { timeout: 600_000 }, async () => {
      const { bucket, place } = await bucketPlace(0);
      await writeNamed(place, clashing(400));
      expect((await place.start(namedRun("whole", ...FLAGS)).ended).code).toBe(0);
      const out = `s3://${bucket.bucket}/letters`;
      const journal = (index: number) => `${bucket.bucket}-letters.shard-${index}.quire.db`;
      const keys = async () => (await keysIn(bucket)).length;
      for (const index of [2, 4, 1, 3]) {
        const before = await keys();
        const { process: child, ended } = place.start(shardArgs(out, index));
        await until("there are new documents", async () => (await keys()) > before + 10, 60);
        child.kill("SIGKILL");
        await ended;
        // As on another machine, which does not have the journal.
        if (index % 2 === 0) await rm(place.path(journal(index)), { force: true });
        const again = await place.start(shardArgs(out, index)).ended;
        expect([again.code, again.code === 0 ? "" : again.stderr]).toEqual([0, ""]);
      }
      const names = await place.names("whole");
      expect((await keysIn(bucket)).sort()).toEqual(names.map((name) => `letters/${name}`).sort());
      const whole = await place.quire(["report", "whole.quire.db", "--json"]);
      const journals = [1, 2, 3, 4].map(journal);
      const divided = await place.quire(["report", ...journals, "--json"]);
      const hashes = ({ stdout }: { readonly stdout: string }) =>
        stdout
          .trim()
          .split("\n")
          .map((line) => {
            const { entry, file, sha256 } = JSON.parse(line);
            return { entry, file, sha256 };
          });
      expect(hashes(divided)).toEqual(hashes(whole));
      expect((await place.start(["verify", ...journals]).ended).code).toBe(0);
    });
  },
  START_TIMEOUT_MS,
);

test("a shard of 200,000 entries reads them with a heap of 120 MB", {
  timeout: 300_000,
}, async () => {
  const place = await namedPlace(Array.from({ length: 200_000 }, (_, index) => `Letter ${index}`));
  const args = namedRun("out", ...FLAGS, "--shard", "20000/20000");
  const { code, stderr } = await place.start(args, { nodeArgs: ["--max-old-space-size=120"] })
    .ended;
  expect([code, stderr]).toEqual([0, expect.not.stringContaining("heap out of memory")]);
  expect(await readFile(place.path("out", "Letter 199999.docx"))).not.toHaveLength(0);
});
