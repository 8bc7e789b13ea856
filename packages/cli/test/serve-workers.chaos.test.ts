/** `quire serve --workers`: one command, whose documents are made by other processes that it starts. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { descendantsOf, isAlive, makePlace, until } from "./support/cli.ts";
import { makeDatabaseService, metric } from "./support/database-service.ts";
import { docx } from "./support/docx.ts";
import { batchOf, letters, type ServiceProcess, serveProcess } from "./support/serve.ts";

const ARGS = ["--no-pdf", "--rate", "0", "--workers", "2"];
const onLinux = test.skipIf(process.platform !== "linux");

/** Returns the process ids of the workers. */
function workersOf({ process: { pid } }: ServiceProcess): number[] {
  return descendantsOf(pid).filter((one) => commandOf(one).endsWith("\0work\0"));
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    return ""; // The process has ended.
  }
}

/** Returns the addresses of the workers' health pages, which they print when they are ready. */
function healthOf(service: ServiceProcess): string[] {
  const lines = service.stderr().matchAll(/^ +health +(http:\S+)\/readyz$/gm);
  return [...lines].map(([, url]) => url ?? "");
}

/** Returns the request for a batch of letters. */
async function requestFor(service: ServiceProcess, count: number) {
  const file = await service.upload("letter.docx", docx(["Dear {{name}}"]));
  return batchOf(file, await service.folder("out"), letters(count));
}

onLinux(
  "workers make the documents, are started again when they die, and end with the service",
  async () => {
    const { database, node } = await makeDatabaseService();
    const service = await node({ args: ["--workers", "2", "--webhook-key", "a-secret-key"] });
    expect(service.stderr()).toMatch(/^ +output +docx \(no LibreOffice\), made by 2 workers$/m);
    await until("both workers are ready", () => healthOf(service).length === 2, 60);
    const [first = 0, second = 0] = workersOf(service);
    const environment = readFileSync(`/proc/${first}/environ`, "utf8");
    expect(environment).toContain("QUIRE_DATABASE=");
    expect(environment).not.toContain("a-secret-key");
    expect(commandOf(first)).not.toContain(database.url);

    const body = await requestFor(service, 400);
    const { body: batch } = await service.ask("/2.0/docgen_batches", { body });
    process.kill(first, "SIGKILL");
    await until("a worker is started again", () => healthOf(service).length === 3, 60);
    expect(service.stderr()).toContain("A worker ended unexpectedly (SIGKILL)");
    const now = workersOf(service);
    expect([now.length, now.includes(second), now.includes(first)]).toEqual([2, true, false]);
    expect((await service.finished(batch.id)).counts).toMatchObject({ completed: 400, failed: 0 });
    const attempts = 'quire_job_attempts_total{output_type="docx",outcome="completed"}';
    const answers = healthOf(service).map((url) => fetch(`${url}/readyz`).catch(() => null));
    const statuses = (await Promise.all(answers)).map((answer) => answer?.status);
    expect(statuses.sort()).toEqual([200, 200, undefined]);
    // The service itself has made none of them.
    expect(await metric(service.url, attempts)).toBe(0);
    expect(await metric(service.url, 'quire_jobs{state="pending"}')).toBe(0);

    const all = descendantsOf(service.process.pid);
    const { code } = await service.stop();
    expect(code).toBe(0);
    expect(all.filter(isAlive)).toEqual([]);
    expect(service.stderr().match(/ended unexpectedly/g)).toHaveLength(1);
    expect(service.stderr()).toContain("gives the other jobs back");
  },
  180_000,
);

onLinux(
  "workers end when the service is killed, and the next start finishes the batch",
  async () => {
    const place = await makePlace();
    const service = await serveProcess(place, { args: ARGS });
    // They are still starting when their parent dies.
    await until("the workers exist", () => workersOf(service).length === 2);
    const body = await requestFor(service, 50);
    const { body: batch } = await service.ask("/2.0/docgen_batches", { body });
    const all = descendantsOf(service.process.pid);
    await service.kill();
    await until("all its processes have ended", () => !all.some(isAlive), 60);
    const next = await serveProcess(place, { args: ARGS });
    expect((await next.finished(batch.id)).counts).toMatchObject({ completed: 50, failed: 0 });
  },
  180_000,
);
