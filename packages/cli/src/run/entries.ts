import { type BatchPart, isQuireError, QuireError } from "@quire/core";
import type { DataEntry, DataItem, DataSource } from "../entries/entry.ts";
import type { EntryRanges } from "../entries/entry-ranges.ts";
import type { FileNames } from "../files/file-names.ts";
import type { RunCheck } from "./check.ts";
import type { RunPackets } from "./packet.ts";

/** The consumers of the entries of a run while they are read. */
export interface EntryReaders {
  readonly names: FileNames;
  readonly packets: RunPackets | null;
  /** Null if the entries are not checked. */
  readonly check: RunCheck | null;
}

/** How many entries a data file has, and which of them a run uses. */
export interface RunSelection {
  /** The number of entries in the file; null if it ends unexpectedly. */
  readonly total: number | null;
  /** Null for all entries. */
  readonly chosen: EntryRanges | null;
  /** The part of the chosen entries that the run makes; null for all of them. */
  readonly part: BatchPart | null;
}

/** An entry of a data file with its number in the file, from 1. */
interface NumberedItem extends DataItem {
  readonly number: number;
  /** False for an entry of another shard, which only reserves its name. */
  readonly isOwn: boolean;
}

/**
 * The chosen entries of a data file as requests for the engine, each with its file name. Entries are numbered as in the
 * file. Only a batch of the engine numbers its entries without the entries that were not chosen.
 */
export class RunEntries {
  readonly #source: DataSource;
  readonly #selection: RunSelection;
  /** The number of entries to read; null if it is unknown. */
  readonly #total: number | null;
  readonly #readers: EntryReaders;
  #isChecked = false;
  /** Why the file could not be read to its end; null if it could. */
  failure: unknown = null;
  /** Called with the number of entries that have been read, and the number of entries to read. */
  onRead: (number: number, total: number | null) => void = () => {};

  constructor(source: DataSource, selection: RunSelection, readers: EntryReaders) {
    this.#source = source;
    this.#selection = selection;
    const { total, chosen, part } = selection;
    // Later entries do not affect the names of a part.
    const size = part?.last ?? chosen?.size ?? total;
    this.#total = size === Number.POSITIVE_INFINITY ? null : size;
    this.#readers = readers;
  }

  /** Converts the number of an entry in the batch to its number in the file. */
  numberOf(entry: number): number {
    const { chosen, part } = this.#selection;
    const position = entry + (part?.first ?? 1) - 1;
    return chosen?.numberAt(position) ?? position;
  }

  /** The part of {@link requests} that becomes documents; null for all of them. */
  get part(): BatchPart | null {
    return this.#selection.part;
  }

  /** Checks the entries before anything is changed. Throws `invalid_data` if errors must prevent the run. */
  async checkFirst(): Promise<void> {
    const { check } = this.#readers;
    if (check === null) return;
    for await (const { number, entry, line, isOwn } of this.#items()) {
      if (isOwn) await check.add(entry, { entry: number, line });
    }
    check.finish();
    this.failure = null; // it occurs again when the entries are accepted
    this.#isChecked = true;
  }

  /**
   * Yields the requests. If the file ends unexpectedly, sets `failure` to the reason. Throws `invalid_data` if errors
   * must prevent the run.
   */
  async *requests(): AsyncGenerator<unknown, void, undefined> {
    const { names, packets } = this.#readers;
    const check = this.#isChecked ? null : this.#readers.check;
    const digits = String(this.#selection.total ?? "").length;
    let read = 0;
    for await (const { number, entry, line, where, isOwn } of this.#items()) {
      read += 1;
      packets?.read(number, entry);
      if (isOwn) await check?.add(entry, { entry: number, line });
      yield isQuireError(entry)
        ? placed(entry, where)
        : request(entry, names, String(number).padStart(digits, "0"));
    }
    check?.finish();
    if (this.#total !== null && read < this.#total) this.failure = shrunk(read, this.#total);
  }

  /**
   * Reads the entries again, only for the packets. `accepted` is the number of entries that an earlier command
   * accepted. Throws `conflict` if the number now differs: a release may skip rows that an older release read as
   * entries.
   */
  async readAgain(accepted: number): Promise<void> {
    const { packets } = this.#readers;
    let read = 0;
    if (packets === null && this.#total !== null) return;
    for await (const { number, entry } of this.#items()) {
      read += 1;
      packets?.read(number, entry);
    }
    if (packets === null || read === accepted) return;
    throw new QuireError(
      "conflict",
      `The run started with ${accepted} entries, but the data file now has ${read}, so its packets cannot be created. Start over with --new.`,
    );
  }

  async *#items(): AsyncGenerator<NumberedItem, void, undefined> {
    const { chosen, part } = this.#selection;
    const last = chosen?.last ?? Number.POSITIVE_INFINITY;
    let number = 0;
    let read = 0;
    try {
      for await (const item of this.#source.items()) {
        number += 1;
        if (chosen !== null && !chosen.has(number)) continue;
        read += 1;
        this.onRead(read, this.#total);
        yield { ...item, number, isOwn: read >= (part?.first ?? 1) };
        if (number === last || read === part?.last) return;
      }
    } catch (error) {
      if (number === 0 || !isQuireError(error)) throw error;
      this.failure = error;
    }
  }
}

/**
 * Adds the position in the file to the diagnostics of an error. The report of a run names only the number of the entry.
 */
function placed(error: QuireError, where: string | undefined): QuireError {
  const { code, message, diagnostics } = error;
  if (where === undefined || diagnostics.length === 0) return error;
  return new QuireError(code, message, {
    diagnostics: diagnostics.map((each) => ({ ...each, message: `${where}: ${each.message}` })),
  });
}

function request(entry: DataEntry, names: FileNames, number: string): unknown {
  const { data, locale, timeZone } = entry;
  try {
    const name = names.of(entry, number);
    return { generated_file_name: name, user_input: data, locale, time_zone: timeZone };
  } catch (error) {
    if (isQuireError(error)) return error;
    throw error;
  }
}

function shrunk(read: number, counted: number): QuireError {
  return new QuireError(
    "invalid_data",
    `The run started with ${counted} entries of the data file, but only ${read} could be read: it was changed during the run. Leave it unchanged, and run the missing entries again.`,
  );
}
