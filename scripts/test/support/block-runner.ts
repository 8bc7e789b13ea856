/**
 * Runs blocks like a reader who pastes them: `sh` with bash, `ts` with Node. Each block gets a new folder with the
 * examples of the repository, as in a checkout. A block that starts a service runs until the end of its page. The
 * blocks after it run in its folder, and the ports in them are replaced by the free port of that service.
 */
import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { globSync, readFileSync } from "node:fs";
import { chmod, cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import {
  type Place as Database,
  makeEmptyPlace,
} from "../../../packages/postgres/test/support/place.ts";
import { type Block, ROOT } from "./doc-blocks.ts";

/** Runs the blocks of one page in their order. */
export interface BlockRunner {
  /** Runs a block. Resolves with its standard output. Rejects if the block fails or its result is wrong. */
  run(block: Block): Promise<string>;
  /** Stops the service if the page has started one, and removes the folders. */
  close(): Promise<void>;
}

type Child = ChildProcessByStdio<null, Readable, Readable>;

interface Service {
  readonly folder: string;
  readonly port: number;
  readonly child: Child;
  readonly ended: Promise<unknown>;
  /** Returns everything that the service has written. */
  written(): string;
}

const CLI = join(ROOT, "packages", "cli", "bin", "quire.js");
const START_SECONDS = 60;
const RUN_SECONDS = 110;
/** Matches the ports that pages use. */
const PORTS = /\b(?:8080|3000)\b/g;

/** Creates a runner that uses this Node. Its folders are in the repository, so that programs find the packages. */
export async function createBlockRunner(node: string): Promise<BlockRunner> {
  const place = await mkdtemp(join(ROOT, "examples", ".snippets-"));
  await writeCommands(join(place, "bin"), node);
  return new PageRunner(place);
}

class PageRunner implements BlockRunner {
  readonly #place: string;
  #folders = 0;
  #service: Service | null = null;
  /** The database of the blocks that name QUIRE_DATABASE. */
  #database: Database | null = null;

  constructor(place: string) {
    this.#place = place;
  }

  async run(block: Block): Promise<string> {
    if (isService(block)) {
      await this.#stopService();
      this.#service = await this.#startService(block);
      return "";
    }
    const folder = this.#service?.folder ?? (await this.#makeFolder());
    const before = new Set(documentsIn(folder));
    const { child, output } = await this.#start(block, folder, this.#service?.port);
    const late = setTimeout(() => signal(child, "SIGKILL"), RUN_SECONDS * 1000);
    const [code] = await once(child, "close");
    clearTimeout(late);
    const { stdout, stderr } = output;
    if (code !== 0) throw new Error(`Ended with ${code}.\n${stdout}${stderr}`);
    // Programs print warnings about templates and data to stderr. Node 22 also warns about SQLite and about a module of
    // the SDK.
    const warnings = stderr.replace(/^\((?:node:\d+\)|Use `node --trace).*\n/gm, "");
    if (block.language === "ts" && warnings !== "") throw new Error(`Wrote to stderr: ${stderr}`);
    // This matches statuses of jobs. The exit code of a command reports failed documents; a program prints counts that
    // may be 0.
    const failure =
      block.language === "ts"
        ? /\b(?:failed|completed_with_error)\b(?!: 0)/
        : /"(?:failed|completed_with_error)"/;
    if (failure.test(stdout)) throw new Error(`A document failed:\n${stdout}`);
    const made = documentsIn(folder).filter((file) => !before.has(file));
    await Promise.all(made.map((file) => checkDocument(join(folder, file))));
    return stdout;
  }

  async close(): Promise<void> {
    try {
      await this.#stopService();
      await this.#database?.destroy();
    } finally {
      await rm(this.#place, { recursive: true, force: true, maxRetries: 20 });
    }
  }

  async #makeFolder(): Promise<string> {
    this.#folders += 1;
    const folder = join(this.#place, String(this.#folders));
    for (const kind of ["templates", "data"]) {
      const source = join(ROOT, "examples", kind);
      await cp(source, join(folder, "examples", kind), { recursive: true });
    }
    await symlink(join(ROOT, "packages"), join(folder, "packages"));
    return folder;
  }

  async #start(block: Block, folder: string, port: number | undefined) {
    const code = port === undefined ? block.code : block.code.replaceAll(PORTS, String(port));
    const file = join(folder, block.language === "ts" ? "program.ts" : "program.sh");
    await writeFile(file, code);
    if (code.includes("QUIRE_DATABASE")) this.#database ??= await makeEmptyPlace();
    const bin = join(this.#place, "bin");
    const command = block.language === "ts" ? [join(bin, "node"), file] : ["bash", "-eu", file];
    const [program = "", ...args] = command;
    const child = spawn(program, args, {
      cwd: folder,
      env: {
        PATH: `${bin}:/usr/local/bin:/usr/bin:/bin`,
        HOME: this.#place,
        TMPDIR: tmpdir(),
        ...(port === undefined ? {} : { QUIRE_PORT: String(port) }),
        ...(this.#database === null ? {} : { QUIRE_DATABASE: this.#database.url }),
      },
      stdio: ["ignore", "pipe", "pipe"],
      // The block runs in a process group, which gets signals in the same way as from a terminal.
      detached: true,
    });
    const output = { stdout: "", stderr: "" };
    for (const name of ["stdout", "stderr"] as const) {
      child[name].setEncoding("utf8").on("data", (text: string) => {
        output[name] += text;
      });
    }
    return { child, output };
  }

  async #startService(block: Block): Promise<Service> {
    const folder = await this.#makeFolder();
    const port = await freePort();
    const { child, output } = await this.#start(block, folder, port);
    const ended = once(child, "close");
    const written = () => output.stdout + output.stderr;
    const service = { folder, port, child, ended, written };
    for (let waited = 0; waited < START_SECONDS * 10; waited += 1) {
      if (child.exitCode !== null) throw new Error(`The service has ended.\n${written()}`);
      const response = await fetch(`http://127.0.0.1:${port}/`).catch(() => null);
      if (response !== null) return service;
      await sleep(100);
    }
    signal(child, "SIGKILL");
    throw new Error(`The service does not respond on port ${port}.\n${written()}`);
  }

  async #stopService(): Promise<void> {
    const service = this.#service;
    this.#service = null;
    if (service === null) return;
    if (service.child.exitCode !== null) throw new Error(`It ended.\n${service.written()}`);
    signal(service.child, "SIGTERM");
    await service.ended;
  }
}

/** Sends a signal to all processes of a block. */
function signal({ pid }: Child, name: "SIGTERM" | "SIGKILL"): void {
  if (pid !== undefined) process.kill(-pid, name);
}

/** Whether a block runs until it is stopped. */
function isService({ language, code }: Block): boolean {
  if (language === "ts") return /port: 8080|listen\(3000/.test(code);
  return /^[^#]*(?:npm run|quire|quire\.js) serve\b/m.test(code);
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

function documentsIn(folder: string): string[] {
  return globSync("**/*.{docx,pdf}", { cwd: folder, exclude: (name) => name === "packages" });
}

/** Rejects if a document is not complete. */
async function checkDocument(file: string): Promise<void> {
  const text = await readFile(file, "latin1");
  const isWhole = file.endsWith(".pdf")
    ? text.startsWith("%PDF-") && text.trimEnd().endsWith("%%EOF")
    : text.startsWith("PK") && text.includes("word/document.xml");
  if (!isWhole) throw new Error(`${file} is not a whole document.`);
}

/** Writes the commands that blocks call. All of them use this Node and the code of this repository. */
async function writeCommands(folder: string, node: string): Promise<void> {
  await mkdir(folder);
  const quire = `exec '${node}' --disable-warning=ExperimentalWarning '${CLI}'`;
  const strip = "--experimental-strip-types --disable-warning=ExperimentalWarning";
  const commands = {
    // The pages say that older versions of Node need this flag.
    node: `exec '${node}' ${strip} "$@"`,
    quire: `${quire} "$@"`,
    npx: `program=$1; shift; case "$program" in node | quire) exec "$program" "$@" ;; esac; exit 1`,
    npm: [
      'case "$*" in',
      `  "run serve") ${quire} serve ;;`,
      "esac",
      'case "$1 $2" in',
      ...commandsOfCi().map((command) => `  "${command}") exit 0 ;;`),
      "esac",
      'echo "CI does not run: npm $*" >&2; exit 1',
    ].join("\n"),
  };
  for (const [name, script] of Object.entries(commands)) {
    await writeFile(join(folder, name), `#!/bin/sh\n${script}\n`);
    await chmod(join(folder, name), 0o755);
  }
  // HTTP errors make a block fail.
  await writeFile(join(folder, "..", ".curlrc"), "fail\nsilent\nshow-error\n");
}

/**
 * Returns the `npm` commands that CI runs, directly or through other scripts of package.json. They are not repeated
 * here.
 */
function commandsOfCi(): readonly string[] {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  const found = new Set<string>();
  const visit = (text: string): void => {
    for (const [, script] of text.matchAll(/npm (?:run (?:--silent )?)?([\w:-]+)/g)) {
      if (script === undefined || found.has(script) || !(script in scripts)) continue;
      found.add(script);
      visit(scripts[script]);
    }
  };
  visit(readFileSync(join(ROOT, ".ci", "run"), "utf8"));
  // The set-up of a fresh clone runs `npm ci`. A separate test runs the commands for packages.
  const others = ["ci ", "test ", "pack --workspaces", "install --prefix"];
  return [...others, ...[...found].map((script) => `run ${script}`)];
}
