/** Runs the mounting examples in separate processes, and calls them as a client. */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { exchange } from "../support/server.ts";
import { batchBody, entries, HELLO } from "../support/service.ts";

const EXAMPLES = join(import.meta.dirname, "../../../../examples");
const AUTHORIZED = { authorization: "Bearer a-token-of-ann", "service-version": "2025.0" };

const json = async (response: Response) => JSON.parse(await response.text());

const folders: string[] = [];
const children: ChildProcess[] = [];

async function emptyFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "quire-mount-"));
  folders.push(folder);
  return folder;
}

/** An example that is listening. */
interface Started {
  readonly url: string;
  readonly child: ChildProcess;
}

/** Starts an example in an empty folder. Returns the address that the example prints, without `/docs`. */
async function start(file: string): Promise<Started> {
  const child = spawn(process.execPath, [join(EXAMPLES, file)], {
    cwd: await emptyFolder(),
    env: { ...process.env, PORT: "0" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  children.push(child);
  let said = "";
  for await (const chunk of child.stdout ?? []) {
    said += chunk;
    const url = /^(http:\S+)\/docs$/m.exec(said)?.[1];
    if (url !== undefined) return { url, child };
  }
  throw new Error(`${file} has ended: ${said}`);
}

const SERVERS = ["service-node.ts", "service-express.ts", "service-fastify.ts"];
const started = new Map<string, Started>();

/** Returns the running example, which all of its tests share. The last test closes it. */
function running(file: string): Started {
  const found = started.get(file);
  if (found === undefined) throw new Error(`${file} was not started.`);
  return found;
}

// The examples start concurrently, because loading them takes longer than their work.
beforeAll(async () => {
  await Promise.all(SERVERS.map(async (file) => started.set(file, await start(file))));
}, 60_000);

afterAll(async () => {
  for (const child of children) child.kill("SIGKILL");
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
});

describe.each(["service-express.ts", "service-fastify.ts"])("%s", (file) => {
  test("leaves the other paths to the application", async () => {
    const { url } = running(file);
    const { origin } = new URL(url);
    expect(await (await fetch(origin)).text()).toBe("An application");
    expect((await fetch(`${origin}/2.0/folders/0`, { headers: AUTHORIZED })).status).toBe(404);
    const missing = await fetch(`${url}/2.0/nothing`);
    expect([missing.status, (await json(missing)).type]).toEqual([404, "error"]);
  });
});

// The tests run concurrently, because they mostly wait for their processes.
describe.concurrent.each(SERVERS)("%s", (file) => {
  test("accepts an upload, generates a batch from it, returns the document, and ends on a signal", async () => {
    const { url, child } = running(file);
    const ask = async (path: string, init: RequestInit = {}) => {
      const json = typeof init.body === "string" ? { "content-type": "application/json" } : {};
      const headers = { ...AUTHORIZED, ...json, ...(init.headers as Record<string, string>) };
      return fetch(`${url}/2.0${path}`, { ...init, headers });
    };
    const form = new FormData();
    form.append("attributes", JSON.stringify({ name: "hello.docx", parent: { id: "0" } }));
    form.append("file", new Blob([Uint8Array.from(HELLO)]), "hello.docx");
    const uploaded = await ask("/files/content", { method: "POST", body: form });
    expect(uploaded.status).toBe(201);
    const [{ id: template }] = (await json(uploaded)).entries;

    const body = JSON.stringify(batchBody(template, "0", entries("Zoë")));
    const posted = await ask("/docgen_batches", { method: "POST", body });
    expect(posted.status).toBe(202);
    const { id } = await json(posted);
    expect(await (await ask(`/docgen_batches/${id}/events`)).text()).toContain("event: finished");
    const jobs = await json(await ask(`/docgen_batch_jobs/${id}`));
    const document = await ask(`/files/${jobs.entries[0].output_file.id}/content`);
    expect(document.headers.get("content-disposition")).toContain("filename*=UTF-8''Zo%C3%AB.docx");
    expect(
      Buffer.from(await document.arrayBuffer())
        .subarray(0, 2)
        .toString(),
    ).toBe("PK");

    const stranger = await ask("/folders/0", { headers: { authorization: "Bearer nobody" } });
    expect([stranger.status, (await json(stranger)).help_url]).toEqual([
      401,
      `${url}/docs/errors#unauthorized`,
    ]);
    expect((await fetch(`${url}/2.0/folders/0`)).status).toBe(401);
    expect((await fetch(`${url}/docs`)).status).toBe(200);

    const { port, pathname } = new URL(url);
    const prefix = pathname === "/" ? "" : pathname;
    const head = [
      `POST ${prefix}/2.0/folders HTTP/1.1`,
      "Host: x",
      "Authorization: Bearer a-token-of-ann",
      "Content-Type: application/json",
    ];
    const long = await exchange(Number(port), [...head, "Content-Length: 20000000"], " ");
    expect([long.status, long.headers.get("connection")]).toEqual([413, "close"]);
    expect(JSON.parse(long.body).context_info.limit_bytes).toBe(10 * 1024 * 1024);

    const compressed = new Blob(['{"name":"a","parent":{"id":"0"}}']).stream();
    const gzip = await ask("/folders", {
      method: "POST",
      body: await new Response(compressed.pipeThrough(new CompressionStream("gzip"))).blob(),
      headers: { "content-type": "application/json", "content-encoding": "gzip" },
    });
    expect(gzip.status).toBe(201);

    const ended = new Promise((resolve) => child.once("exit", (code) => resolve(code)));
    child.kill("SIGTERM");
    expect(await ended).toBe(0);
  });
});

test.concurrent("service-fetch.ts generates a document without a server", async () => {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [join(EXAMPLES, "service-fetch.ts")],
    { cwd: await emptyFolder() },
  );
  expect(stdout).toMatch(/^completed attachment; filename="Letter to a customer\.docx"\n$/);
});
