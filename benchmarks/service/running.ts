/** Servers and load generators, each in a separate process. */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { sqliteStores } from "@quire/jobs-sqlite";
import { createToken } from "@quire/service";
import type { LoadTask, Metered } from "./tasks.ts";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const TEMPLATE = here("../../examples/templates/letter.docx");

/** The kind of server. `running` is `quire serve`; server.ts describes the others. */
export type Kind = "floor" | "layer" | "held" | "running";

/** A tenant whose requests are measured. */
export interface Tenant {
  readonly token: string;
  readonly template: string;
  readonly folder: string;
}

/** A server in a separate process, with its own data folder. */
export interface Server extends AsyncDisposable {
  readonly url: string;
  readonly pid: number;
  /** The path of the server's data folder. */
  readonly data: string;
  readonly tenants: readonly Tenant[];
  /** Returns how the process ended; undefined while it runs. */
  readonly ended: () => string | undefined;
  /** Runs the work and measures the server in the meantime. */
  metered<T>(work: () => Promise<T>): Promise<{ readonly done: T; readonly meter: Metered }>;
}

/** Options of {@link startService}. */
export interface StartOptions {
  readonly tenants?: number;
  /** Whether `quire serve` creates PDFs. Default false. */
  readonly makesPdf?: boolean;
  /** Additional arguments of `quire serve`. */
  readonly args?: readonly string[];
  /** Additional arguments of Node. */
  readonly node?: readonly string[];
  /** The limit of open files for the process. Default: the limit of this process. */
  readonly openFiles?: number;
}

/** Starts a server with tenants. Each tenant has a template and a folder. */
export async function startService(kind: Kind, options: StartOptions = {}): Promise<Server> {
  const { tenants: count = 1, makesPdf = false, args = ["--rate", "0"], node = [] } = options;
  const data = await mkdtemp(join(tmpdir(), "quire-bench-service-"));
  await mkdir(join(data, "files"));
  const tokens = await makeTokens(data, count);
  const program =
    kind === "running"
      ? [
          here("../../packages/cli/bin/quire.js"),
          "serve",
          "--data",
          data,
          "--port",
          "0",
          "--log-level",
          "silent",
          ...(makesPdf ? [] : ["--no-pdf"]),
          ...args,
        ]
      : [here("server.ts"), kind, data];
  const limit = options.openFiles === undefined ? [] : ["prlimit", `--nofile=${options.openFiles}`];
  const own = [process.execPath, "--no-warnings", "--import", here("meter.mjs"), ...node];
  const [command = "", ...rest] = [...limit, ...own, ...program];
  const child = spawn(command, rest, { stdio: ["ignore", "ignore", "pipe", "ipc"] });
  const url = await addressOf(child);
  const tenants: Tenant[] = [];
  for (const token of tokens) {
    tenants.push(
      kind === "floor" ? { token, template: "1", folder: "2" } : await settle(url, token),
    );
  }
  return {
    url,
    pid: child.pid ?? 0,
    data,
    tenants,
    ended: () => {
      const { exitCode, signalCode } = child;
      return exitCode === null && signalCode === null
        ? undefined
        : (signalCode ?? `code ${exitCode}`);
    },
    async metered(work) {
      await ask(child, "begin");
      const done = await work();
      return { done, meter: (await ask(child, "end")) as Metered };
    },
    async [Symbol.asyncDispose]() {
      if (child.connected) {
        const gone = once(child, "exit");
        child.disconnect();
        await gone;
      }
      await rm(data, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** Sends load from a separate process. Returns the results. */
export async function load<T>(task: LoadTask): Promise<T> {
  const args = ["--no-warnings", here("load.ts"), JSON.stringify(task)];
  const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: 1e8 });
  return JSON.parse(stdout) as T;
}

/** Sends a request as one tenant, outside of the measurement. */
export async function call(url: string, token: string, path: string, init: RequestInit = {}) {
  const response = await fetch(url + path, {
    ...init,
    headers: { authorization: `Bearer ${token}`, "service-version": "2025.0", ...init.headers },
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${path} returned status ${response.status}: ${text}`);
  return JSON.parse(text) as { id: string; status?: string; entries: { id: string }[] };
}

async function makeTokens(data: string, count: number): Promise<string[]> {
  const stores = sqliteStores({ path: join(data, "quire.db") });
  try {
    const tokens: string[] = [];
    for (let number = 0; number < count; number++) {
      const owner = { user: `user-${number}`, enterprise: `tenant-${number}` };
      tokens.push((await createToken(stores.tokens, owner)).token);
    }
    return tokens;
  } finally {
    await stores.close();
  }
}

async function addressOf(child: ChildProcess): Promise<string> {
  let said = "";
  for await (const text of child.stderr?.setEncoding("utf8") ?? []) {
    said += text;
    const found = /http:\/\/127\.0\.0\.1:\d+/.exec(said);
    if (found === null) continue;
    child.stderr?.on("data", () => {}).resume();
    return found[0];
  }
  throw new Error(`The server did not start: ${said}`);
}

/** Uploads a file into the root of a tenant. Returns its id. */
export async function upload(
  url: string,
  token: string,
  name: string,
  bytes: Uint8Array,
): Promise<string> {
  const form = new FormData();
  form.append("attributes", JSON.stringify({ name, parent: { id: "0" } }));
  form.append("file", new Blob([Uint8Array.from(bytes)]), name);
  const { entries } = await call(url, token, "/2.0/files/content", { method: "POST", body: form });
  return entries[0]?.id ?? "";
}

async function settle(url: string, token: string): Promise<Tenant> {
  const template = await upload(url, token, "letter.docx", await readFile(TEMPLATE));
  const folder = await call(url, token, "/2.0/folders", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ name: "out", parent: { id: "0" } }),
  });
  return { token, template, folder: folder.id };
}

async function ask(child: ChildProcess, what: "begin" | "end"): Promise<unknown> {
  const answer = once(child, "message");
  child.send(what);
  const [told] = await answer;
  return told;
}
