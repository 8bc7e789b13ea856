/** The manifests in deploy/ that divide a batch. `deploy-shards.long.test.ts` runs their scripts. */
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { parse } from "yaml";
import { ROOT } from "./support/doc-blocks.ts";

const job = manifest("kubernetes-shards.yaml");
const definition = manifest("aws-batch-shards.yaml");

// biome-ignore lint/suspicious/noExplicitAny: the compiler checks the fields in a test.
function manifest(name: string): any {
  return parse(readFileSync(join(ROOT, "deploy", name), "utf8"));
}

test("the manifests have only fields that Kubernetes and AWS Batch know", {
  timeout: 120_000,
}, async () => {
  const folder = await mkdtemp(join(ROOT, "examples", ".manifests-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const sources = {
    "kubernetes.ts": `import type { Job } from "kubernetes-types/batch/v1.d.ts";\nexport const job: Job = ${JSON.stringify(job)};\n`,
    "aws-batch.ts": `import type { RegisterJobDefinitionCommandInput } from "@aws-sdk/client-batch";\nexport const definition: RegisterJobDefinitionCommandInput = ${JSON.stringify(definition)};\n`,
    "tsconfig.json": JSON.stringify({ extends: "../../tsconfig.test.json", include: ["*.ts"] }),
  };
  for (const [name, text] of Object.entries(sources)) await writeFile(join(folder, name), text);
  const compiler = join(ROOT, "node_modules/typescript/bin/tsc");
  const { stdout } = await promisify(execFile)(process.execPath, [compiler, "-p", folder]).catch(
    (error: { readonly stdout: string }) => error,
  );
  expect(stdout).toBe("");
});

test("the Kubernetes job has a pod for each shard, whose volumes and policies fit together", () => {
  const pod = job.spec.template.spec;
  const [container] = pod.containers;
  const { completionMode, completions, parallelism, backoffLimit } = job.spec;
  expect(completionMode).toBe("Indexed");
  expect(container.env).toEqual([{ name: "SHARDS", value: String(completions) }]);
  expect(parallelism).toBeLessThanOrEqual(completions);
  expect(backoffLimit).toBeGreaterThan(completions);
  expect(pod.restartPolicy).toBe("OnFailure");
  const names = (list: readonly { readonly name: string }[]) => list.map(({ name }) => name).sort();
  expect(names(container.volumeMounts)).toEqual(names(pod.volumes));
});
