import { readFile, writeFile } from "node:fs/promises";
import { Worker } from "node:worker_threads";
import { programUrl } from "@quire/contracts";
import type { ExportOption, Office } from "../office/office.ts";
import { type OfficeEnd, OfficeEnded, OfficeFailure } from "../office/office.ts";
import { residentMb } from "../office/proc.ts";
import { fontFilesIn } from "./font-files.ts";
import { loaderIn } from "./package.ts";

/** Start options of the thread. */
export interface WasmStart {
  readonly packageFolder: string;
  /** The package's loader for its WebAssembly. */
  readonly loader: string;
  /** Font files for LibreOffice in addition to its own. */
  readonly fonts: readonly string[];
}

/** A document for the thread. */
export interface WasmRequest {
  readonly docx: Uint8Array;
  /** `FilterOptions` of LibreOffice's API. */
  readonly filterOptions: string;
}

/** A message from the thread: one when it is ready, then one for each document. */
export type WasmAnswer =
  | { readonly ready: true }
  | { readonly pdf: Uint8Array }
  | { readonly problem: string };

/** LibreOffice's own error for a document. After any other error, its memory may be corrupt. */
const REFUSED = /Failed to (?:load|save) document/;

const KINDS = { b: "boolean", l: "long", s: "string" } as const;

/**
 * Starts LibreOffice as WebAssembly in a thread of this process. It has no access to files or the network.
 * `prepareWasm` creates `folder`. Rejects with {@link OfficeFailure} if LibreOffice does not start. The supervisor ends
 * a start that stalls.
 */
export async function startWasmOffice(options: {
  readonly folder: string;
  readonly packageFolder: string;
  readonly fontFolders: readonly string[];
}): Promise<Office> {
  const start: WasmStart = {
    packageFolder: options.packageFolder,
    loader: loaderIn(options.folder),
    fonts: await fontFilesIn(options.fontFolders),
  };
  const thread = new WasmThread(start);
  await thread.ask(null);
  let ownMb: number | null = null;
  return {
    pid: process.pid,
    version: null,
    outputs: null,
    ended: thread.ended,
    residentMb: async () => {
      const heldMb = await residentMb(process.pid);
      ownMb ??= heldMb;
      return Math.max(0, heldMb - ownMb);
    },
    log: async () => "",
    convert: async (job) => {
      const filterOptions = asFilterOptions(job.options);
      const answer = await thread.ask({ docx: await readFile(job.input), filterOptions });
      if ("pdf" in answer) await writeFile(job.output, answer.pdf);
      else {
        const problem = "problem" in answer ? answer.problem : "";
        if (REFUSED.test(problem)) throw new OfficeFailure("rejected it", problem);
        throw new OfficeEnded("ended during the conversion", problem, "ended");
      }
    },
  };
}

class WasmThread {
  readonly #worker: Worker;
  #waiting = Promise.withResolvers<WasmAnswer>();
  readonly #over = Promise.withResolvers<OfficeEnd>();

  constructor(start: WasmStart) {
    this.#worker = new Worker(programUrl("./wasm-worker", import.meta.url), {
      workerData: start,
    });
    this.#waiting.promise.catch(() => {}); // nobody may be waiting
    this.#worker.on("message", (answer: WasmAnswer) => this.#waiting.resolve(answer));
    this.#worker.on("error", (error) => this.#end(String(error)));
    this.#worker.on("exit", () => this.#end("its thread ended"));
  }

  /** Resolves when the thread has ended. */
  get ended(): Promise<OfficeEnd> {
    return this.#over.promise;
  }

  /** Returns the answer to a document. With null, waits until the thread is ready. */
  async ask(request: WasmRequest | null): Promise<WasmAnswer> {
    if (request !== null) {
      this.#waiting = Promise.withResolvers();
      this.#worker.postMessage(request);
    }
    return this.#waiting.promise;
  }

  #end(why: string): void {
    this.#waiting.reject(new OfficeEnded("ended", why, "ended"));
    this.#over.resolve("ended");
  }
}

function asFilterOptions(options: readonly ExportOption[]): string {
  const entries = options.map(([name, kind, value]) => [
    name,
    { type: KINDS[kind], value: kind === "b" ? String(value === "1") : value },
  ]);
  return JSON.stringify(Object.fromEntries(entries));
}
