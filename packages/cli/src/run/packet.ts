import { basename, dirname, extname, join } from "node:path";
import {
  createPacket,
  type Diagnostic,
  isQuireError,
  type Job,
  type PacketSummary,
  type PdfOptions,
  type PlaceUse,
  parseFileName,
  QuireError,
  type RenderOptions,
  throwIfAborted,
} from "@quire/core";
import type { DataEntry } from "../entries/entry.ts";
import {
  prepareFolder,
  readInput,
  refuseToReplace,
  replaceFileWith,
  stem,
  type Write,
} from "../files/command-files.ts";
import { type FileNames, fileNames } from "../files/file-names.ts";
import type { PacketFlags } from "../options/packet.ts";
import { count } from "../terminal/format.ts";
import { type CommandIo, writeLine } from "../terminal/io.ts";
import { describe, printError } from "../terminal/print-error.ts";
import type { Progress } from "../terminal/progress.ts";

/** The packets of a run: each document is in one packet, in the order of the entries. */
export interface RunPackets {
  /** Call it for each entry that is read, with its number, including entries that cannot be read. */
  read(number: number, entry: DataEntry | QuireError): void;
  /** Whether the names of the packets use the value that a diagnostic reports as unused. */
  use(diagnostic: Diagnostic): boolean;
  /** How the names of the packets use a place in the data; null if they do not use it. */
  useOf(keys: readonly string[]): PlaceUse | null;
  /** Call it for each job that has ended. */
  ended(job: Job): void;
  /**
   * Creates the packets of the documents in a folder, one after the other. Returns false if a packet lacks a document
   * that was generated. If the run was interrupted, creates no packets and reports that.
   */
  write(folder: string, signal: AbortSignal, progress: Progress): Promise<boolean>;
}

/**
 * Returns null if there is no `--packet`. Throws `invalid_request` or `invalid_template` for an invalid packet, and
 * `storage_failed` if its folder is not writable.
 */
export async function runPackets(
  io: CommandIo,
  { packet: path, dryRun }: PacketFlags & { readonly dryRun?: true },
  run: {
    readonly to: string;
    readonly inputs: readonly string[];
    readonly print: RenderOptions;
    readonly pdf: PdfOptions | undefined;
  },
): Promise<RunPackets | null> {
  if (path === undefined) return null;
  if (run.to !== "pdf") throw wrong("it merges PDFs, so it needs --to pdf");
  if (run.pdf?.openPassword !== undefined || run.pdf?.permissionPassword !== undefined) {
    throw wrong("documents with passwords cannot be merged");
  }
  if (extname(path).toLowerCase() !== ".pdf") throw wrong("its name must end in .pdf");
  if (dirname(path).includes("{{"))
    throw wrong("tags are allowed in the file name, but not in the folder");
  const name = basename(path);
  const names = name.includes("{{") ? fileNames(name, "", run.print, "--packet") : null;
  if (names === null) await refuseToReplace(io, path, run.inputs);
  if (!dryRun) await prepareFolder(io, dirname(path));
  return new CollectedPackets(io, { path, names, inputs: run.inputs });
}

function wrong(why: string): QuireError {
  return new QuireError("invalid_request", `--packet cannot be used: ${why}.`);
}

/** Errors that concern only one document. */
const OF_ONE_DOCUMENT: ReadonlySet<string> = new Set(["invalid_data", "not_found"]);
/** Maximum number of entries that a message lists. */
const MOST_LISTED = 20;

/** A packet to create. */
interface Work {
  readonly path: string;
  /** The file names, in the order of the entries. */
  readonly documents: readonly string[];
  readonly folder: string;
  /** Call it when a document was merged. */
  readonly onMerged: () => void;
}

/** For each entry, keeps only the name of its document and its packet. */
class CollectedPackets implements RunPackets {
  readonly #io: CommandIo;
  readonly #path: string;
  /** Null for a single packet. */
  readonly #names: FileNames | null;
  readonly #inputs: readonly string[];
  /** By entry, from 1: the packet, or the reason why it has no packet. */
  readonly #packets: (string | QuireError | undefined)[] = [];
  /** By entry, from 1: the file of its document. */
  readonly #documents: (string | undefined)[] = [];
  /** Contains each path once. Paths that differ only in case have the same key. */
  readonly #paths = new Map<string, string>();
  #complete = true;

  constructor(
    io: CommandIo,
    {
      path,
      names,
      inputs,
    }: {
      readonly path: string;
      readonly names: FileNames | null;
      readonly inputs: readonly string[];
    },
  ) {
    this.#io = io;
    this.#path = path;
    this.#names = names;
    this.#inputs = inputs;
  }

  read(number: number, entry: DataEntry | QuireError): void {
    if (isQuireError(entry)) {
      this.#packets[number] = entry;
      return;
    }
    try {
      const path = this.#pathOf(entry);
      const key = folded(path);
      this.#packets[number] = this.#paths.get(key) ?? path;
      if (!this.#paths.has(key)) this.#paths.set(key, path);
    } catch (error) {
      if (!isQuireError(error)) throw error;
      this.#packets[number] = error;
    }
  }

  ended({ entry, outputFile }: Job): void {
    this.#documents[entry] = outputFile?.name;
  }

  use(diagnostic: Diagnostic): boolean {
    return this.#names?.use(diagnostic) ?? false;
  }

  useOf(keys: readonly string[]): PlaceUse | null {
    return this.#names?.useOf(keys) ?? null;
  }

  async write(folder: string, signal: AbortSignal, progress: Progress): Promise<boolean> {
    if (signal.aborted) {
      writeLine(this.#io.stderr, "No packet was written, because the run was interrupted.");
      return false;
    }
    const missing: number[] = [];
    const groups = new Map<string, string[]>();
    for (let entry = 1; entry < this.#packets.length; entry++) {
      const [packet, document] = [this.#packets[entry], this.#documents[entry]];
      if (packet === undefined) continue; // the entry was not chosen
      if (typeof packet === "string" && document !== undefined) {
        const group = groups.get(packet);
        if (group === undefined) groups.set(packet, [document]);
        else group.push(document);
      } else missing.push(entry);
      if (isQuireError(packet) && document !== undefined) this.#reportNoPacket(entry, packet);
    }
    this.#reportMissing(missing);
    if (groups.size === 0)
      writeLine(this.#io.stderr, "No packet was written, because no document was made.");
    progress.phase("merging", { rate: true });
    const total = [...groups.values()].reduce((sum, { length }) => sum + length, 0);
    let done = 0;
    const onMerged = (): void => progress.update({ done: ++done, total });
    for (const [path, documents] of groups) {
      await this.#writeOne({ path, documents, folder, onMerged }, signal);
      if (signal.aborted) break;
    }
    return this.#complete;
  }

  async #writeOne(work: Work, signal: AbortSignal): Promise<void> {
    const { path } = work;
    try {
      await this.#refuseToReplace(work);
      const { pages, entries } = await replaceFileWith(this.#io, path, (write) =>
        this.#merge(work, write, signal),
      );
      writeLine(
        this.#io.stdout,
        `${path}: ${counted(pages, "page")} of ${counted(entries, "document")}`,
      );
    } catch (error) {
      if (!isQuireError(error)) throw error;
      printError(this.#io, error);
      writeLine(this.#io.stderr, `The packet ${JSON.stringify(path)} was not written.`);
      this.#complete = false;
    }
  }

  async #merge(
    { documents, folder, onMerged }: Work,
    write: Write,
    signal: AbortSignal,
  ): Promise<PacketSummary> {
    const packet = createPacket(write);
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
        this.#complete = false;
      }
      onMerged();
    }
    const summary = await packet.finish();
    for (const each of summary.warnings) writeLine(this.#io.stderr, `warning: ${describe(each)}`);
    return summary;
  }

  #pathOf(entry: DataEntry): string {
    if (this.#names === null) return this.#path;
    return join(dirname(this.#path), parseFileName(this.#names.of(entry, "")));
  }

  /** A packet must not replace an input file, a document of the run or another packet. */
  async #refuseToReplace({ path, folder }: Work): Promise<void> {
    const name = folded(basename(path));
    const made = this.#documents.filter((each) => each !== undefined);
    const alike = made.filter((each) => folded(each) === name);
    await refuseToReplace(this.#io, path, [
      ...this.#inputs,
      ...alike.map((each) => join(folder, each)),
    ]);
  }

  #reportNoPacket(entry: number, { message }: QuireError): void {
    this.#complete = false;
    writeLine(this.#io.stderr, `entry ${entry} is not in a packet: ${message}`);
  }

  #reportMissing(entries: readonly number[]): void {
    if (entries.length === 0) return;
    const listed = entries.slice(0, MOST_LISTED).map((entry) => count(entry));
    const more = entries.length > MOST_LISTED ? ", …" : "";
    const which = entries.length === 1 ? "entry" : "entries";
    writeLine(
      this.#io.stderr,
      `Not in a packet: ${which} ${listed.join(", ")}${more} (total ${count(entries.length)}).`,
    );
  }
}

function folded(name: string): string {
  return name.normalize("NFC").toLowerCase();
}

function counted(number: number, what: string): string {
  return `${count(number)} ${what}${number === 1 ? "" : "s"}`;
}
