import { hash } from "node:crypto";
import {
  type FileInfo,
  type FileRef,
  type FolderEntry,
  type FolderPage,
  type FolderRef,
  isByteStream,
  type ListOptions,
  parseFileName,
  QuireError,
  type ReadOptions,
  readPieces,
  type Storage,
  type StorageOptions,
  type StoredFile,
  throwIfAborted,
} from "@quire/contracts";

const ROOT = ".";
const PIECE_BYTES = 1024 * 1024;

/** The initial contents of a {@link memoryStorage}. */
export interface MemoryStorageSeed {
  /** Ids of folders, for example `out/letters`. Parent folders are created as needed. */
  readonly folders?: readonly string[];
  /** Bytes by file id, for example `templates/invoice.docx`. Parent folders are created as needed. */
  readonly files?: Readonly<Record<string, Uint8Array>>;
}

/**
 * Creates a storage in memory: the reference implementation of the port, for tests and trials. Ids are paths with `/`
 * between the segments; `"."` is the root folder, which always exists. A file has one version, the SHA-256 of its
 * bytes. Throws `forbidden` for an invalid id in `seed`, and `conflict` for a path that would be both a file and a
 * folder.
 */
export function memoryStorage(seed: MemoryStorageSeed = {}): Storage {
  return new MemoryStorage(seed);
}

class MemoryStorage implements Storage {
  readonly hasExactNames = true;
  readonly #files = new Map<string, Uint8Array>();
  readonly #folders = new Set([ROOT]);

  constructor(seed: MemoryStorageSeed) {
    for (const [id, bytes] of Object.entries(seed.files ?? {})) {
      this.#addFolder(parentOf(checkId(id)));
      this.#files.set(id, new Uint8Array(bytes));
    }
    for (const id of seed.folders ?? []) this.#addFolder(checkId(id));
    for (const id of this.#files.keys()) {
      if (this.#folders.has(id)) throw taken("file", nameOf(id), parentOf(id));
    }
  }

  async read(file: FileRef, options: ReadOptions = {}): Promise<StoredFile> {
    throwIfAborted(options.signal);
    const bytes = this.#files.get(checkId(file.id));
    if (bytes === undefined) throw missing("file", file.id);
    const info = describe(file.id, bytes);
    if (options.version !== undefined && options.version !== info.version) {
      throw new QuireError(
        "not_found",
        `The file ${JSON.stringify(file.id)} has no version ${JSON.stringify(options.version)}. ` +
          "Read it without a version, or use the version that stat returns.",
      );
    }
    return { ...info, sha256: info.version, bytes: new Uint8Array(bytes) };
  }

  async create(
    folder: FolderRef,
    name: string,
    bytes: Uint8Array | AsyncIterable<Uint8Array>,
    options: StorageOptions = {},
  ): Promise<FileInfo> {
    const { signal } = options;
    if (!isByteStream(bytes)) return this.#createNow(folder, name, bytes, signal);
    return readPieces(bytes, { pieceBytes: PIECE_BYTES, signal }, async (pieces) => {
      this.#freeId(folder, name, signal); // first, because the stream may never end
      const read: Uint8Array[] = [];
      for await (const piece of pieces) read.push(piece);
      return this.#createNow(folder, name, Buffer.concat(read), signal);
    });
  }

  async stat(file: FileRef, options: StorageOptions = {}): Promise<FileInfo | null> {
    throwIfAborted(options.signal);
    const bytes = this.#files.get(checkId(file.id));
    return bytes === undefined ? null : describe(file.id, bytes);
  }

  async find(
    folder: FolderRef,
    name: string,
    options: StorageOptions = {},
  ): Promise<FileInfo | null> {
    return this.stat(
      { type: "file", id: childOf(checkId(folder.id), parseFileName(name)) },
      options,
    );
  }

  async list(folder: FolderRef, options: ListOptions = {}): Promise<FolderPage> {
    throwIfAborted(options.signal);
    this.#requireFolder(folder.id);
    const { limit = 1000, marker } = options;
    if (!Number.isInteger(limit) || limit < 1) {
      throw new QuireError(
        "invalid_request",
        `The folder ${JSON.stringify(folder.id)} cannot be listed: the limit must be an ` +
          "integer of at least 1. Pass a valid limit, or omit it to use 1000.",
      );
    }
    const rest = this.#entriesOf(folder.id).filter(
      ({ name }) => marker === undefined || name > marker,
    );
    const entries = rest.slice(0, limit);
    return { entries, nextMarker: rest.length > limit ? (entries.at(-1)?.name ?? null) : null };
  }

  async remove(file: FileRef, options: StorageOptions = {}): Promise<void> {
    throwIfAborted(options.signal);
    this.#files.delete(checkId(file.id));
  }

  async createFolder(
    folder: FolderRef,
    name: string,
    options: StorageOptions = {},
  ): Promise<FolderRef> {
    throwIfAborted(options.signal);
    this.#requireFolder(folder.id);
    const id = childOf(folder.id, parseFileName(name));
    if (this.#files.has(id)) throw taken("folder", name, folder.id);
    this.#folders.add(id);
    return { type: "folder", id };
  }

  async removeFolder(folder: FolderRef, options: StorageOptions = {}): Promise<void> {
    throwIfAborted(options.signal);
    if (checkId(folder.id) === ROOT) throw rootStays();
    if (!this.#folders.has(folder.id)) return;
    if (this.#entriesOf(folder.id).length > 0) throw notEmpty(folder.id);
    this.#folders.delete(folder.id);
  }

  #createNow(
    folder: FolderRef,
    name: string,
    bytes: Uint8Array,
    signal: AbortSignal | undefined,
  ): FileInfo {
    const id = this.#freeId(folder, name, signal);
    this.#files.set(id, new Uint8Array(bytes));
    return describe(id, bytes);
  }

  /** Returns the id for a new file. Throws `conflict` if the name is taken. */
  #freeId(folder: FolderRef, name: string, signal: AbortSignal | undefined): string {
    throwIfAborted(signal);
    this.#requireFolder(folder.id);
    const id = childOf(folder.id, parseFileName(name));
    if (this.#files.has(id) || this.#folders.has(id)) throw taken("file", name, folder.id);
    return id;
  }

  #entriesOf(folder: string): FolderEntry[] {
    const types = [
      ...[...this.#files.keys()].map((id) => ({ type: "file", id }) as const),
      ...[...this.#folders].map((id) => ({ type: "folder", id }) as const),
    ];
    return types
      .filter(({ id }) => id !== ROOT && parentOf(id) === folder)
      .map((ref) => ({ ref, name: nameOf(ref.id) }))
      .sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  #addFolder(id: string): void {
    for (let folder = id; folder !== ROOT; folder = parentOf(folder)) this.#folders.add(folder);
  }

  #requireFolder(id: string): void {
    if (!this.#folders.has(checkId(id))) throw missing("folder", id);
  }
}

function describe(id: string, bytes: Uint8Array): FileInfo {
  return {
    ref: { type: "file", id },
    version: hash("sha256", bytes),
    name: nameOf(id),
    size: bytes.length,
  };
}

/** Returns the id. Throws `forbidden` unless it is a canonical path below the root. */
function checkId(id: string): string {
  const segments = id.split("/");
  const illegal = ["", ".", ".."];
  if (id !== ROOT && (/[\0\\]/.test(id) || segments.some((segment) => illegal.includes(segment)))) {
    throw new QuireError(
      "forbidden",
      `The id ${JSON.stringify(id)} is not a path below the storage's root. Use segments joined ` +
        'by "/", without "." or "..", and "." alone for the root folder.',
    );
  }
  return id;
}

function parentOf(id: string): string {
  const slash = id.lastIndexOf("/");
  return slash < 0 ? ROOT : id.slice(0, slash);
}

function nameOf(id: string): string {
  return id.slice(id.lastIndexOf("/") + 1);
}

function childOf(folder: string, name: string): string {
  return folder === ROOT ? name : `${folder}/${name}`;
}

function missing(type: "file" | "folder", id: string): QuireError {
  return new QuireError(
    "not_found",
    `There is no ${type} ${JSON.stringify(id)} in the storage. Check the id, or ${
      type === "file" ? "create it" : "create it with createFolder"
    } first.`,
  );
}

function taken(type: "file" | "folder", name: string, folder: string): QuireError {
  return new QuireError(
    "conflict",
    `The ${type} ${JSON.stringify(name)} cannot be created in the folder ${JSON.stringify(folder)}: ` +
      "the name is taken. Choose another name, or remove the entry that has it.",
  );
}

function notEmpty(id: string): QuireError {
  return new QuireError(
    "conflict",
    `The folder ${JSON.stringify(id)} cannot be removed: it is not empty. Remove its contents first.`,
  );
}

function rootStays(): QuireError {
  return new QuireError(
    "forbidden",
    "The root folder cannot be removed: it belongs to the storage itself. Remove folders in it instead.",
  );
}
