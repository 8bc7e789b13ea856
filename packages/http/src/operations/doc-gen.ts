import type { Engine, FileRef, FolderRef, QuireError, TemplateStore } from "@quire/core/host";
import { type Call, operationOver } from "../openapi/operation.ts";
import type { HttpLimits } from "../request/limits.ts";
import type { TemplateReader } from "./read-template.ts";

/** A file that a request names. */
export interface FoundFile {
  /** Distinguishes a file from a {@link FoundFolder}. */
  readonly type: "file";
  /** The engine's id of the file. */
  readonly id: string;
  /** The name of the file; null if it is unknown. */
  readonly name: string | null;
  /** The current version. If it is unknown, null, and the engine reads the version that it finds. */
  readonly version: FoundVersion | null;
}

/** A version of a file. */
export interface FoundVersion {
  /** The engine's id of the version. Clients see it as the id of the `file_version`. */
  readonly id: string;
  /** The size of the version in bytes. */
  readonly size: number;
}

/** A folder that a request names. */
export interface FoundFolder {
  /** Distinguishes a folder from a {@link FoundFile}. */
  readonly type: "folder";
  /** The engine's id of the folder. */
  readonly id: string;
}

/** Finds the files and folders of tenants by the ids in requests. */
export interface DocGenFiles {
  /**
   * Rejects `not_found` for items that the tenant does not have, and `forbidden` for ids that leave the tenant's
   * folder.
   */
  resolve(tenant: string, ref: FileRef | FolderRef): Promise<FoundFile | FoundFolder>;
  /** Resolves with null if the file does not have this version. `fileId` comes from {@link resolve}. */
  version(tenant: string, fileId: string, versionId: string): Promise<FoundVersion | null>;
}

/** Limits the batches of tenants. */
export interface BatchQuotas {
  /** Resolves with the error that rejects a batch with this number of jobs; undefined if the batch is small enough. */
  batchRefusal(tenant: string, entries: number): Promise<QuireError | undefined>;
  /** Rejects `quota_exceeded` if the tenant may not have this number of additional waiting jobs. */
  admitWaiting(tenant: string, entries: number): Promise<void>;
}

/** The dependencies of the Doc Gen operations. */
export interface DocGenService {
  /** Creates and lists batches and reads templates. The caller closes it. */
  readonly engine: Engine;
  /** Finds each file and folder that a request names. */
  readonly files: DocGenFiles;
  /** The files that are marked as templates. If null, every file is a template. */
  readonly templates: TemplateStore | null;
  /** Reads templates for the operations on tags and schemas. It may cache them. */
  readonly tags: TemplateReader;
  /** Null if there are no quotas. */
  readonly quotas: BatchQuotas | null;
  /** Operations apply the limits on batches, responses and streams. The router applies the limits on bodies. */
  readonly limits: HttpLimits;
  /** Aborted when the service shuts down. Then long responses end. */
  readonly draining: AbortSignal;
}

/** The dependencies of operations that mark files as templates. */
export interface MarkingService extends DocGenService {
  /** The files that are marked as templates. Not null, because these operations change the marks. */
  readonly templates: TemplateStore;
}

/** A request to a Doc Gen operation. */
export type DocGenCall<Query = unknown, Body = unknown> = Call<DocGenService, Query, Body>;

/** Defines a Doc Gen operation. Requests must name the version of the API. */
export const operation = operationOver<DocGenService>({ versioned: true });

/** Defines an operation that marks files as templates. Requests must name the version of the API. */
export const markingOperation = operationOver<MarkingService>({ versioned: true });
