import { basename, dirname, extname, join } from "node:path";
import {
  type Diagnostic,
  isQuireError,
  type Job,
  type PdfOptions,
  type PlaceUse,
  parseFileName,
  QuireError,
  type RenderOptions,
} from "@quire/core";
import type { DataEntry } from "../entries/entry.ts";
import { mergedUse } from "../entries/merged-use.ts";
import { prepareFolder, refuseToReplace } from "../files/command-files.ts";
import { type FileNames, fileNames } from "../files/file-names.ts";
import type { PacketFlags } from "../options/packet.ts";
import { count } from "../terminal/format.ts";
import { type CommandIo, writeLine } from "../terminal/io.ts";
import type { Progress } from "../terminal/progress.ts";
import { folded, PacketWriter } from "./packet-writer.ts";

/** The packets of a run: each document is in one packet. */
export interface RunPackets {
  /** Call this for each entry with its number, including entries that cannot be read. */
  read(number: number, entry: DataEntry | QuireError): void;
  /** Whether the names or the order of the packets use the value that a diagnostic reports as unused. */
  use(diagnostic: Diagnostic): boolean;
  /** Returns how the names and the order of the packets use the value at a path of keys; null if they do not use it. */
  useOf(keys: readonly string[]): PlaceUse | null;
  /** Call this for each job that has ended. */
  ended(job: Job): void;
  /** Prints the path of each packet and the number of its documents. */
  print(): void;
  /**
   * Creates the packets of the documents in a folder, one after the other. Returns false if a packet lacks a document
   * that was generated. If the run was interrupted, creates no packets and reports that.
   */
  write(folder: string, signal: AbortSignal, progress: Progress): Promise<boolean>;
}

/**
 * Creates the packets of a run; null without `--packet`. Throws `invalid_request` or `invalid_template` for an invalid
 * packet, and `storage_failed` if its folder is not writable.
 */
export async function runPackets(
  io: CommandIo,
  flags: PacketFlags & { readonly dryRun?: true },
  run: {
    readonly to: string;
    readonly inputs: readonly string[];
    readonly print: RenderOptions;
    readonly pdf: PdfOptions | undefined;
  },
): Promise<RunPackets | null> {
  const { packet: path, packetOrder: order, duplex } = flags;
  if (path === undefined) {
    if (order !== undefined) throw withoutPacket("--packet-order");
    if (duplex) throw withoutPacket("--duplex");
    return null;
  }
  if (run.to !== "pdf") throw wrong("it merges PDFs, so it needs --to pdf");
  if (run.pdf?.openPassword !== undefined || run.pdf?.permissionPassword !== undefined) {
    throw wrong("documents with passwords cannot be merged");
  }
  if (extname(path).toLowerCase() !== ".pdf") throw wrong("its name must end in .pdf");
  if (dirname(path).includes("{{"))
    throw wrong("tags are allowed in the file name, but not in the folder");
  const { inputs, print } = run;
  const name = basename(path);
  const names = name.includes("{{") ? fileNames(name, "", print, "--packet") : null;
  const keys = order === undefined ? null : fileNames(order, "", print, "--packet-order");
  if (names === null) await refuseToReplace(io, path, inputs);
  if (!flags.dryRun) await prepareFolder(io, dirname(path));
  const writer = new PacketWriter(io, { inputs, evenPages: duplex === true });
  return new CollectedPackets(io, { path, names, keys, locale: print.locale, writer });
}

function wrong(why: string): QuireError {
  return new QuireError("invalid_request", `--packet cannot be used: ${why}.`);
}

function withoutPacket(option: string): QuireError {
  return new QuireError(
    "invalid_request",
    `${option} applies to packets. Add --packet with the name of a PDF, or remove ${option}.`,
  );
}

/** Maximum number of entries that a message lists. */
const MOST_LISTED = 20;

interface PacketParts {
  readonly path: string;
  /** Null for a single packet. */
  readonly names: FileNames | null;
  /** The keys by which documents are sorted; null for the order of the entries. */
  readonly keys: FileNames | null;
  readonly locale: string | undefined;
  readonly writer: PacketWriter;
}

/** The packet of an entry's document, and the key that determines its position in the packet. */
interface Placement {
  readonly path: string;
  readonly key: string;
}

/** For each entry, keeps only the name of its document, its packet and its key. */
class CollectedPackets implements RunPackets {
  readonly #io: CommandIo;
  readonly #parts: PacketParts;
  /** By entry, from 1: its packet, or the reason why it has no packet. Entries that were not chosen are missing. */
  readonly #places: (Placement | QuireError | undefined)[] = [];
  /** By entry, from 1: the file of its document. */
  readonly #documents: (string | undefined)[] = [];
  /** Paths by their folded form, so that paths that differ only in case are the same packet. */
  readonly #paths = new Map<string, string>();

  constructor(io: CommandIo, parts: PacketParts) {
    this.#io = io;
    this.#parts = parts;
  }

  read(number: number, entry: DataEntry | QuireError): void {
    if (isQuireError(entry)) {
      this.#places[number] = entry;
      return;
    }
    try {
      const path = this.#pathOf(entry);
      const known = folded(path);
      if (!this.#paths.has(known)) this.#paths.set(known, path);
      const key = this.#parts.keys?.of(entry, "") ?? "";
      this.#places[number] = { path: this.#paths.get(known) ?? path, key };
    } catch (error) {
      if (!isQuireError(error)) throw error;
      this.#places[number] = error;
    }
  }

  ended({ entry, outputFile }: Job): void {
    this.#documents[entry] = outputFile?.name;
  }

  use(diagnostic: Diagnostic): boolean {
    const { names, keys } = this.#parts;
    return names?.use(diagnostic) || keys?.use(diagnostic) || false;
  }

  useOf(keys: readonly string[]): PlaceUse | null {
    const users = [this.#parts.names, this.#parts.keys];
    return mergedUse(
      users.filter((user) => user !== null),
      keys,
    );
  }

  print(): void {
    for (const [path, documents] of this.#groups()) {
      writeLine(this.#io.stdout, `${path}: ${count(documents.length)} documents`);
    }
  }

  async write(folder: string, signal: AbortSignal, progress: Progress): Promise<boolean> {
    if (signal.aborted) {
      writeLine(this.#io.stderr, "No packet was written, because the run was interrupted.");
      return false;
    }
    let isComplete = this.#reportMissing();
    const groups = this.#groups();
    if (groups.size === 0)
      writeLine(this.#io.stderr, "No packet was written, because no document was made.");
    progress.phase("merging", { rate: true });
    const total = [...groups.values()].reduce((sum, { length }) => sum + length, 0);
    const made = this.#documents.filter((each) => each !== undefined);
    let done = 0;
    const onMerged = (): void => progress.update({ done: ++done, total });
    for (const [path, documents] of groups) {
      const work = { path, documents, folder, made, onMerged };
      if (!(await this.#parts.writer.write(work, signal))) isComplete = false;
      if (signal.aborted) break;
    }
    return isComplete;
  }

  /** Returns the documents of each packet, in the order of the packet. */
  #groups(): Map<string, string[]> {
    const { locale = "en" } = this.#parts;
    const { compare } = new Intl.Collator(locale, { numeric: true });
    const groups = new Map<string, { readonly key: string; readonly document: string }[]>();
    for (const [entry, place] of this.#places.entries()) {
      const document = this.#documents[entry];
      if (place === undefined || isQuireError(place) || document === undefined) continue;
      const group = groups.get(place.path) ?? [];
      groups.set(place.path, group);
      group.push({ key: place.key, document });
    }
    const sorted = [...groups].map(([path, group]): [string, string[]] => [
      path,
      group.sort((a, b) => compare(a.key, b.key)).map(({ document }) => document),
    ]);
    return new Map(sorted);
  }

  #pathOf(entry: DataEntry): string {
    const { path, names } = this.#parts;
    if (names === null) return path;
    return join(dirname(path), parseFileName(names.of(entry, "")));
  }

  /** Reports entries that are not in a packet. Returns false if a document was made of one of them. */
  #reportMissing(): boolean {
    const missing: number[] = [];
    let isComplete = true;
    for (const [entry, place] of this.#places.entries()) {
      if (place === undefined) continue;
      const isMade = this.#documents[entry] !== undefined;
      if (isQuireError(place) || !isMade) missing.push(entry);
      if (!isQuireError(place) || !isMade) continue;
      isComplete = false;
      writeLine(this.#io.stderr, `entry ${entry} is not in a packet: ${place.message}`);
    }
    if (missing.length === 0) return isComplete;
    const listed = missing.slice(0, MOST_LISTED).map((entry) => count(entry));
    const more = missing.length > MOST_LISTED ? ", …" : "";
    const which = missing.length === 1 ? "entry" : "entries";
    writeLine(
      this.#io.stderr,
      `Not in a packet: ${which} ${listed.join(", ")}${more} (total ${count(missing.length)}).`,
    );
    return isComplete;
  }
}
