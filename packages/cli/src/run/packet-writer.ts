import { basename, join } from "node:path";
import { createPacket, isQuireError, type PacketSummary, throwIfAborted } from "@quire/core";
import {
  readInput,
  refuseToReplace,
  replaceFileWith,
  stem,
  type Write,
} from "../files/command-files.ts";
import { count } from "../terminal/format.ts";
import { type CommandIo, writeLine } from "../terminal/io.ts";
import { describe, printError } from "../terminal/print-error.ts";

/** A packet to write. */
export interface PacketWork {
  readonly path: string;
  /** The file names, in the order of the packet. */
  readonly documents: readonly string[];
  readonly folder: string;
  /** The file names of all documents of the run. A packet must not replace any of them. */
  readonly made: readonly string[];
  /** Called after each document. */
  readonly onMerged: () => void;
}

/** Errors that concern only one document. */
const OF_ONE_DOCUMENT: ReadonlySet<string> = new Set(["invalid_data", "not_found"]);

/** Writes the packets of a run. */
export class PacketWriter {
  readonly #io: CommandIo;
  readonly #inputs: readonly string[];
  readonly #evenPages: boolean;

  /** `inputs` are files that a packet must not replace. */
  constructor(
    io: CommandIo,
    { inputs, evenPages }: { readonly inputs: readonly string[]; readonly evenPages: boolean },
  ) {
    this.#io = io;
    this.#inputs = inputs;
    this.#evenPages = evenPages;
  }

  /** Writes a packet and reports problems. Returns false if it was not written or lacks a document. */
  async write(work: PacketWork, signal: AbortSignal): Promise<boolean> {
    const { path } = work;
    try {
      await this.#refuseToReplace(work);
      let isComplete = true;
      const summary = await replaceFileWith(this.#io, path, (write) =>
        this.#merge(work, { write, signal, onRefused: () => (isComplete = false) }),
      );
      writeLine(this.#io.stdout, `${path}: ${inWords(summary)}`);
      return isComplete;
    } catch (error) {
      if (!isQuireError(error)) throw error;
      printError(this.#io, error);
      writeLine(this.#io.stderr, `The packet ${JSON.stringify(path)} was not written.`);
      return false;
    }
  }

  async #merge(
    { documents, folder, onMerged }: PacketWork,
    {
      write,
      signal,
      onRefused,
    }: { readonly write: Write; readonly signal: AbortSignal; readonly onRefused: () => void },
  ): Promise<PacketSummary> {
    const packet = createPacket(write, { evenPages: this.#evenPages });
    for (const name of documents) {
      throwIfAborted(signal);
      try {
        await packet.add(await readInput(this.#io, join(folder, name)), {
          title: stem(name),
          name,
        });
      } catch (error) {
        // Somebody removed or changed the document during the run.
        if (!isQuireError(error) || !OF_ONE_DOCUMENT.has(error.code)) throw error;
        printError(this.#io, error);
        onRefused();
      }
      onMerged();
    }
    const summary = await packet.finish();
    for (const each of summary.warnings) writeLine(this.#io.stderr, `warning: ${describe(each)}`);
    return summary;
  }

  /** Throws if the packet would replace an input file, a document of the run or another packet. */
  async #refuseToReplace({ path, folder, made }: PacketWork): Promise<void> {
    const name = folded(basename(path));
    const alike = made.filter((each) => folded(each) === name);
    const documents = alike.map((each) => join(folder, each));
    await refuseToReplace(this.#io, path, [...this.#inputs, ...documents]);
  }
}

/** Returns a form of a name that is the same for names that differ only in case or in Unicode normalization. */
export function folded(name: string): string {
  return name.normalize("NFC").toLowerCase();
}

function inWords({ pages, blankPages, entries }: PacketSummary): string {
  const blank = blankPages === 0 ? "" : ` (${count(blankPages)} blank)`;
  return `${counted(pages, "page")}${blank} of ${counted(entries, "document")}`;
}

function counted(number: number, what: string): string {
  return `${count(number)} ${what}${number === 1 ? "" : "s"}`;
}
