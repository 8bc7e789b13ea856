import type { RecordPage } from "./job-store.ts";

/** A file that is marked as a template. */
export interface TemplateRecord {
  /** The tenant that owns the file. Other tenants do not see the mark. */
  readonly tenant: string;
  /** The id of the file, and of the template. */
  readonly fileId: string;
  /** Who marked it; null if unknown. */
  readonly markedBy: string | null;
  /** Milliseconds since 1970, by the wall clock. */
  readonly markedAt: number;
}

/** Query of {@link TemplateStore.list}. */
export interface TemplateQuery {
  /** Maximum number of templates in the page: a positive integer. */
  readonly limit: number;
  /** `nextMarker` of the page before. */
  readonly marker?: string | undefined;
}

/**
 * Records which files are templates. Every method rejects with a `QuireError`: `job_store_failed` if the medium fails
 * or the store is closed. Writes are durable when the promise resolves. The store does not check that a file exists.
 * The creator closes the store. `conformance/template-store.ts` tests this contract.
 */
export interface TemplateStore {
  /** Marks a file. If the file is already marked, its record does not change. Returns the stored record. */
  mark(template: Omit<TemplateRecord, "markedAt">): Promise<TemplateRecord>;

  /** Removes the mark of a file. Returns whether the file was marked. */
  unmark(tenant: string, fileId: string): Promise<boolean>;

  /** Returns the record of a file; null if the tenant has not marked the file. */
  find(tenant: string, fileId: string): Promise<TemplateRecord | null>;

  /**
   * Lists templates, newest mark first. New marks do not shift the pages that follow. Rejects `invalid_request` for an
   * invalid limit, and for a marker that does not belong to this tenant.
   */
  list(tenant: string, query: TemplateQuery): Promise<RecordPage<TemplateRecord>>;

  /** Removes all marks of a tenant. Returns the number of files. */
  eraseTenant(tenant: string): Promise<number>;
}
