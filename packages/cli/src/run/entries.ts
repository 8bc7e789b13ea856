import { isQuireError, QuireError } from "@quire/core";
import type { DataEntry, DataItem, DataSource } from "../entries/entry.ts";
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

/** The entries of a data file as requests for the engine, each with its file name. */
export class RunEntries {
  readonly #source: DataSource;
  readonly #total: number | null;
  readonly #readers: EntryReaders;
  #isChecked = false;
  /** Why the file could not be read to its end; null if it could. */
  failure: unknown = null;
  /** Called with the number of entries that have been read, and the number of all entries. */
  onRead: (number: number, total: number | null) => void = () => {};

  constructor(source: DataSource, total: number | null, readers: EntryReaders) {
    this.#source = source;
    this.#total = total;
    this.#readers = readers;
  }

  /** Checks the entries before anything is changed. Throws `invalid_data` if errors must prevent the run. */
  async checkFirst(): Promise<void> {
    const { check } = this.#readers;
    if (check === null) return;
    let number = 0;
    for await (const { entry, line } of this.#items()) {
      number += 1;
      await check.add(entry, { entry: number, line });
    }
    check.finish();
    this.failure = null; // it occurs again when the entries are accepted
    this.#isChecked = true;
  }

  /**
   * If the file ends unexpectedly, yields only the entries before that, and sets `failure` to the reason. Throws
   * `invalid_data` if errors must prevent the run.
   */
  async *requests(): AsyncGenerator<unknown, void, undefined> {
    const { names, packets } = this.#readers;
    const check = this.#isChecked ? null : this.#readers.check;
    const digits = String(this.#total ?? "").length;
    let number = 0;
    for await (const { entry, line, where } of this.#items()) {
      number += 1;
      packets?.read(number, entry);
      await check?.add(entry, { entry: number, line });
      yield isQuireError(entry)
        ? placed(entry, where)
        : request(entry, names, String(number).padStart(digits, "0"));
    }
    check?.finish();
    if (this.#total !== null && number < this.#total) this.failure = shrunk(number, this.#total);
  }

  /**
   * Reads the entries again, only for the packets. `accepted` is the number of entries that an earlier command
   * accepted. Throws `conflict` if the number now differs: a release may skip rows that an older release read as
   * entries.
   */
  async readAgain(accepted: number): Promise<void> {
    const { packets } = this.#readers;
    let number = 0;
    if (packets === null && this.#total !== null) return;
    for await (const { entry } of this.#items()) {
      number += 1;
      packets?.read(number, entry);
    }
    if (packets === null || number === accepted) return;
    throw new QuireError(
      "conflict",
      `The run started with ${accepted} entries, but the data file now has ${number}, so its packets cannot be created. Start over with --new.`,
    );
  }

  async *#items(): AsyncGenerator<DataItem, void, undefined> {
    let number = 0;
    try {
      for await (const item of this.#source.items()) {
        number += 1;
        this.onRead(number, this.#total);
        yield item;
      }
    } catch (error) {
      if (number === 0 || !isQuireError(error)) throw error;
      this.failure = error;
    }
  }
}

/** Adds the place in the file to the diagnostics of an error. The report of a run has only the number of the entry. */
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
    `The data file had ${counted} entries when the run started, but only ${read} could be read: it was changed during the run. Leave it unchanged, and run the missing entries again.`,
  );
}
