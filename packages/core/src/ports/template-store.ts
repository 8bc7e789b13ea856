import type { RecordPage } from "./job-store.ts";

/** A file that is marked as a template. */
export interface TemplateRecord {
  readonly tenant: string;
  /** Of the file, and so of the template. */
  readonly fileId: string;
  /** Who has marked it; null when that is not known. */
  readonly markedBy: string | null;
  /** Milliseconds since 1970, by the wall clock. */
  readonly markedAt: number;
}

/** Which templates {@link TemplateStore.list} gives. */
export interface TemplateQuery {
  readonly limit: number;
  /** `nextMarker` of the page before. */
  readonly marker?: string | undefined;
}

/**
 * Which files are templates. Every method rejects with a `QuireError`: `job_store_failed` when the medium fails or the
 * store is closed. What is written is durable when the promise resolves. Whether there is such a file is not
 * its business. Who made it closes it. `conformance/template-store.ts` is this contract as tests.
 */
export interface TemplateStore {
  /** Marks a file. One that is marked already stays as it is. Gives what is kept. */
  mark(template: Omit<TemplateRecord, "markedAt">): Promise<TemplateRecord>;

  /** Whether it was marked. */
  unmark(tenant: string, fileId: string): Promise<boolean>;

  /** Null when the tenant has marked no such file. */
  find(tenant: string, fileId: string): Promise<TemplateRecord | null>;

  /**
   * From the one that was marked last on. What is marked meanwhile is not in the way of the pages that follow.
   * Rejects `invalid_request` for a limit that is none, and for a marker that is none of this tenant's.
   */
  list(tenant: string, query: TemplateQuery): Promise<RecordPage<TemplateRecord>>;

  /** Removes all marks of a tenant. Returns the number of files. */
  eraseTenant(tenant: string): Promise<number>;
}
