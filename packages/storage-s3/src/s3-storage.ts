import { randomUUID } from "node:crypto";
import {
  type FileInfo,
  type FileRef,
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
  takenIndex,
  throwIfAborted,
} from "@quire/contracts";
import type { Bucket } from "./bucket.ts";
import { type Capabilities, capabilitiesOf } from "./capabilities.ts";
import { createObject } from "./create-object.ts";
import { createStreamed, isTaken } from "./create-streamed.ts";
import { diagnose, type S3Diagnosis } from "./diagnose.ts";
import {
  childOf,
  fits,
  folderPrefix,
  isProbeName,
  keyOf,
  MAX_KEY_BYTES,
  nameOf,
  PROBE_PREFIX,
  ROOT,
} from "./keys.ts";
import { listFolder } from "./list-folder.ts";
import { PART_BYTES } from "./multipart.ts";
import { download, headObject } from "./objects.ts";
import { parseOptions, type S3StorageOptions } from "./options.ts";
import { readObject } from "./read-object.ts";
import { toQuireError } from "./s3-errors.ts";
import { deleteAll } from "./versions.ts";

/** A storage in a bucket, which can also test its server. */
export interface S3Storage extends Storage {
  /**
   * Whether exactly one of several concurrent writers of the same name succeeds, even in different processes. This
   * holds if the server supports `If-None-Match` or the bucket keeps versions. Tested once. Rejects as `create` does.
   */
  createsOnlyNew(options?: StorageOptions): Promise<boolean>;
  /**
   * Tests what the server supports. Like `createsOnlyNew`, writes small objects under random names below the prefix, and
   * removes them. Rejects as `create` does.
   */
  diagnose(options?: StorageOptions): Promise<S3Diagnosis>;
}

/**
 * Creates a storage in an S3 bucket, or in a bucket on a server with the same protocol. Ids are keys below the prefix,
 * with `/` between the segments; `"."` is the prefix itself. Folders are prefixes of keys. Every folder exists, even an
 * empty one, so creating or removing a folder changes nothing. Nevertheless, removing the root rejects `forbidden`. The
 * version of a file is its version id if the bucket keeps versions, otherwise the SHA-256 of its bytes. The storage
 * sends no request before the first call. A client that the storage creates does not need closing: its idle connections
 * do not keep a process alive. Throws `invalid_request` for invalid options.
 */
export function s3Storage(options: S3StorageOptions): S3Storage {
  const { bucket, prefix } = parseOptions(options);
  return new BucketStorage(bucket, prefix);
}

class BucketStorage implements S3Storage {
  readonly hasExactNames = true;
  readonly #bucket: Bucket;
  readonly #prefix: string;
  readonly #capabilities: Capabilities;
  readonly #taken = takenIndex({
    exists: (folder, name, options) => this.#exists(folder, name, options),
    names: (folder) => this.#names(folder),
  });

  constructor(bucket: Bucket, prefix: string) {
    this.#bucket = bucket;
    this.#prefix = prefix;
    this.#capabilities = capabilitiesOf(bucket, prefix);
  }

  read(file: FileRef, options: ReadOptions = {}): Promise<StoredFile> {
    return this.#attempt(`The file ${quoted(file.id)} cannot be read`, options, async () => {
      const { version, signal } = options;
      const key = keyOf(this.#prefix, file.id);
      const found = key && (await readObject(this.#bucket, { key, version, signal }));
      if (!found) throw missing(file.id, version);
      const { bytes, sha256, size, versionId } = found;
      return { ...describe(file.id, versionId ?? sha256, size), sha256, bytes };
    });
  }

  create(
    folder: FolderRef,
    name: string,
    bytes: Uint8Array | AsyncIterable<Uint8Array>,
    options: StorageOptions = {},
  ): Promise<FileInfo> {
    const { signal } = options;
    const failed = `The file ${quoted(name)} cannot be created in the folder ${quoted(folder.id)}`;
    const create = (content: Uint8Array | AsyncGenerator<Uint8Array>): Promise<FileInfo> =>
      this.#attempt(failed, options, async () => {
        const checked = parseName(name);
        const key = folderPrefix(this.#prefix, folder.id) + checked;
        if (!fits(key)) throw tooLong(failed, key);
        const object = { key, writeId: randomUUID() };
        const [bucket, capabilities] = [this.#bucket, this.#capabilities];
        const written = isByteStream(content)
          ? await createStreamed(bucket, capabilities, object, { pieces: content, signal })
          : await createObject(bucket, capabilities, { ...object, bytes: content }, signal);
        if (written === null) throw taken(failed);
        this.#taken.add(folder, checked);
        const { versionId, sha256, size } = written;
        return describe(childOf(folder.id, checked), versionId ?? sha256, size);
      });
    return isByteStream(bytes)
      ? readPieces(bytes, { pieceBytes: PART_BYTES, signal }, create)
      : create(bytes);
  }

  stat(file: FileRef, options: StorageOptions = {}): Promise<FileInfo | null> {
    return this.#attempt(`The file ${quoted(file.id)} cannot be read`, options, async () => {
      const { signal } = options;
      const key = keyOf(this.#prefix, file.id);
      if (key === null) return null;
      const head = await headObject(this.#bucket, { key, signal });
      if (head === null) return null;
      const version = head.versionId ?? head.sha256;
      if (version !== null) return describe(file.id, version, head.size);
      // Objects from other programs and objects from long streams have no hash in their metadata, so it is computed.
      const found = await download(this.#bucket, { key, signal }, false);
      return found && describe(file.id, found.sha256, found.size);
    });
  }

  find(folder: FolderRef, name: string, options: StorageOptions = {}): Promise<FileInfo | null> {
    const failed = `The file ${quoted(name)} cannot be looked up in the folder ${quoted(folder.id)}`;
    return this.#attempt(failed, options, async () => {
      folderPrefix(this.#prefix, folder.id); // rejects an invalid id
      return this.stat({ type: "file", id: childOf(folder.id, parseName(name)) }, options);
    });
  }

  list(folder: FolderRef, options: ListOptions = {}): Promise<FolderPage> {
    return this.#attempt(`The folder ${quoted(folder.id)} cannot be listed`, options, () =>
      listFolder(this.#bucket, this.#prefix, folder.id, options),
    );
  }

  isTaken(folder: FolderRef, name: string, options: StorageOptions = {}): Promise<boolean> {
    const failed = `The name ${quoted(name)} cannot be looked up in the folder ${quoted(folder.id)}`;
    return this.#attempt(failed, options, () =>
      this.#taken.isTaken(folder, parseName(name), options),
    );
  }

  remove(file: FileRef, options: StorageOptions = {}): Promise<void> {
    return this.#attempt(`The file ${quoted(file.id)} cannot be removed`, options, async () => {
      const key = keyOf(this.#prefix, file.id);
      if (key !== null) await deleteAll(this.#bucket, key, options.signal);
    });
  }

  createFolder(folder: FolderRef, name: string, options: StorageOptions = {}): Promise<FolderRef> {
    const failed = `The folder ${quoted(name)} cannot be created in the folder ${quoted(folder.id)}`;
    return this.#attempt(failed, options, async () => {
      const checked = parseName(name);
      const key = folderPrefix(this.#prefix, folder.id) + checked;
      if (!fits(`${key}/`)) throw tooLong(failed, `${key}/`);
      if (await isTaken(this.#bucket, key, options.signal)) throw taken(failed);
      return { type: "folder", id: childOf(folder.id, checked) };
    });
  }

  removeFolder(folder: FolderRef, options: StorageOptions = {}): Promise<void> {
    const failed = `The folder ${quoted(folder.id)} cannot be removed`;
    return this.#attempt(failed, options, async () => {
      if (folder.id === ROOT) throw rootStays();
      const first = { ...options, limit: 1 };
      const { entries } = await listFolder(this.#bucket, this.#prefix, folder.id, first);
      if (entries.length > 0) throw notEmpty(failed);
    });
  }

  createsOnlyNew(options: StorageOptions = {}): Promise<boolean> {
    return this.#attempt("The server cannot be tested", options, async () => {
      const { putsOnlyNew, keepsVersions } = await this.#capabilities.puts(options.signal);
      return putsOnlyNew || keepsVersions;
    });
  }

  diagnose(options: StorageOptions = {}): Promise<S3Diagnosis> {
    return this.#attempt("The server cannot be tested", options, () =>
      diagnose(this.#bucket, this.#prefix, this.#capabilities, options.signal),
    );
  }

  /** Whether a name is the name of a file or of a folder. */
  async #exists(folder: FolderRef, name: string, options: StorageOptions): Promise<boolean> {
    const key = folderPrefix(this.#prefix, folder.id) + name;
    if (!fits(key)) return false;
    const first = { ...options, limit: 1 };
    const [isFile, within] = await Promise.all([
      isTaken(this.#bucket, key, options.signal),
      listFolder(this.#bucket, this.#prefix, childOf(folder.id, name), first),
    ]);
    return isFile || within.entries.length > 0;
  }

  async #names(folder: FolderRef): Promise<readonly string[]> {
    const options = { limit: Number.MAX_SAFE_INTEGER };
    const { entries } = await listFolder(this.#bucket, this.#prefix, folder.id, options);
    return entries.map(({ name }) => name);
  }

  async #attempt<T>(
    failed: string,
    { signal }: StorageOptions,
    body: () => Promise<T>,
  ): Promise<T> {
    try {
      throwIfAborted(signal);
      return await body();
    } catch (error) {
      throw toQuireError(error, { failed, bucket: this.#bucket.name });
    }
  }
}

function describe(id: string, version: string, size: number): FileInfo {
  return { ref: { type: "file", id }, version, name: nameOf(id), size };
}

function parseName(name: string): string {
  const parsed = parseFileName(name);
  if (!isProbeName(parsed)) return parsed;
  throw new QuireError(
    "item_name_invalid",
    `The file name ${quoted(name)} begins with ${quoted(PROBE_PREFIX)}, which this storage reserves for ` +
      "objects that test its server. Choose another name.",
  );
}

function missing(id: string, version: string | undefined): QuireError {
  return new QuireError(
    "not_found",
    version === undefined
      ? `There is no file ${quoted(id)} below the storage's prefix. Check the id, or create the file.`
      : `The file ${quoted(id)} has no version ${quoted(version)}, or that version was removed. Read the file ` +
          "without a version, or use the version that stat returns.",
  );
}

function taken(failed: string): QuireError {
  return new QuireError(
    "conflict",
    `${failed}: the name is taken. Choose another name, or remove the file that has it.`,
  );
}

function notEmpty(failed: string): QuireError {
  return new QuireError("conflict", `${failed}: it is not empty. Remove its contents first.`);
}

function rootStays(): QuireError {
  return new QuireError(
    "forbidden",
    "The root folder cannot be removed: it belongs to the storage itself. Remove folders in it.",
  );
}

function tooLong(failed: string, key: string): QuireError {
  return new QuireError(
    "storage_failed",
    `${failed}: its key would be ${Buffer.byteLength(key)} bytes long, but S3 allows at most ${MAX_KEY_BYTES}. ` +
      "Choose a shorter name, folder or prefix.",
  );
}

function quoted(text: string): string {
  return JSON.stringify(text);
}
