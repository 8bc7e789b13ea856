/** Runs the scripts of the manifests in deploy/ that divide a batch. */
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { promisify } from "node:util";
import { describe, expect, onTestFinished, test } from "vitest";
import { parse } from "yaml";
import { ROOT } from "./support/doc-blocks.ts";

const QUIRE = join(ROOT, "packages/cli/dist/main.js");
const job = manifest("kubernetes-shards.yaml");
const definition = manifest("aws-batch-shards.yaml");
const [container] = job.spec.template.spec.containers;

/** The script of each manifest, and the variables that its scheduler sets for the shard with an index from 0. */
const SCHEDULERS = {
  kubernetes: {
    script: container.args[0],
    variables: (index: number) => ({
      ...Object.fromEntries(container.env.map(({ name, value }: Variable) => [name, value])),
      JOB_COMPLETION_INDEX: String(index),
    }),
  },
  "AWS Batch": {
    script: definition.containerProperties.command[2],
    variables: (index: number) => ({
      AWS_BATCH_JOB_ARRAY_INDEX: String(index),
      AWS_BATCH_JOB_ARRAY_SIZE: "8",
    }),
  },
};

interface Variable {
  readonly name: string;
  readonly value: string;
}

// biome-ignore lint/suspicious/noExplicitAny: deploy-shards.test.ts checks the fields.
function manifest(name: string): any {
  return parse(readFileSync(join(ROOT, "deploy", name), "utf8"));
}

/** A folder that stands for the file systems of the containers. */
async function makePlace(entries: readonly object[]) {
  const folder = await mkdtemp(join(tmpdir(), "quire-shards-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const shared = join(folder, "shared");
  await mkdir(shared);
  await cp(join(ROOT, "examples/templates/letter.docx"), join(shared, "template.docx"));
  const lines = entries.map((entry) => `${JSON.stringify(entry)}\n`);
  await writeFile(join(shared, "data.jsonl"), lines.join(""));
  return { folder, shared };
}

/** Starts the script for one shard. Its paths are below a folder, and it makes .docx files, which is faster. */
async function start(name: keyof typeof SCHEDULERS, folder: string, index: number) {
  const { script, variables } = SCHEDULERS[name];
  const local = join(folder, `disk-${index}`);
  await mkdir(local, { recursive: true });
  const here = script
    .replace("/app/packages/cli/bin/quire.js", `"${QUIRE}"`)
    .replaceAll("s3://BUCKET/", `${folder}/shared/`)
    .replaceAll(/(?<=[\s"])\/shared/g, `${folder}/shared`)
    .replaceAll(/(?<=")\/(?:journal|data)(?=\/)/g, local)
    .replace("--to pdf", "--to docx");
  // A new process group receives a signal as a whole, as from `tini -g`.
  const child = spawn("sh", ["-c", here], {
    env: { PATH: process.env.PATH, TMPDIR: folder, NODE_NO_WARNINGS: "1", ...variables(index) },
    stdio: ["ignore", "ignore", "pipe"],
    detached: true,
  });
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  const ended = once(child, "close").then(([code]) => ({ code, stderr }));
  return { pid: child.pid ?? 0, ended };
}

const letter = JSON.parse(readFileSync(join(ROOT, "examples/data/letter.json"), "utf8"));

describe.each(Object.keys(SCHEDULERS) as (keyof typeof SCHEDULERS)[])(
  "the script for %s",
  (name) => {
    test("makes all documents, succeeds if an entry fails, and keeps all journals", async () => {
      const { folder, shared } = await makePlace([...Array(15).fill(letter), []]);
      for (let index = 0; index < 8; index++) {
        const { code, stderr } = await (await start(name, folder, index)).ended;
        expect([index, code, stderr]).toEqual([index, 0, expect.any(String)]);
      }
      expect(await readdir(join(shared, "letters"))).toHaveLength(15);
      const journals = await readdir(join(shared, "journals"));
      expect(journals.sort()).toEqual([1, 2, 3, 4, 5, 6, 7, 8].map((n) => `shard-${n}.quire.db`));
      const paths = journals.map((each) => join(shared, "journals", each));
      const { stdout } = await promisify(execFile)(process.execPath, [QUIRE, "verify", ...paths]);
      expect(stdout).toMatch(/^verified +15$/m);
      expect(stdout).toMatch(/^failed, no document +1$/m);
    });

    test("ends in order when its container is stopped, keeps the journal, and resumes", async () => {
      const { folder, shared } = await makePlace(Array(3200).fill(letter));
      const { pid, ended } = await start(name, folder, 7);
      const made = async () => (await readdir(join(shared, "letters")).catch(() => [])).length;
      for (let tries = 0; (await made()) < 20 && tries < 600; tries++) await wait(50);
      process.kill(-pid, "SIGTERM");
      expect((await ended).code).toBe(130);
      expect(await made()).toBeLessThan(400);
      expect((await readFile(join(shared, "journals/shard-8.quire.db"))).length).toBeGreaterThan(0);
      const again = await (await start(name, folder, 7)).ended;
      expect([again.code, again.stderr]).toEqual([
        0,
        expect.stringMatching(/^Resuming: \d+ of 400/m),
      ]);
      expect(await made()).toBe(400);
    });

    test("fails if nothing can run", async () => {
      const { folder, shared } = await makePlace([letter]);
      await writeFile(join(shared, "data.jsonl"), "");
      expect((await (await start(name, folder, 0)).ended).code).toBe(1);
    });
  },
);
