/** Limits on requests and responses. Times are in milliseconds, lengths in bytes. */
export interface HttpLimits {
  /** The maximum size of a JSON body. Default: 10 MiB. */
  readonly bodyBytes: number;
  /** The maximum number of documents per batch. Default: 10,000. */
  readonly entries: number;
  /** The maximum size of a batch entry, as JSON. Default: 1 MiB. */
  readonly entryBytes: number;
  /** The maximum nesting depth of an entry's data, without the levels of the body that contain it. Default: 64. */
  readonly depth: number;
  /** The maximum length of a string or key, as JSON. Default: 1 MiB. */
  readonly stringBytes: number;
  /** The maximum number of keys in a body. Default: 500,000. */
  readonly keys: number;
  /** The maximum number of values in a body. Default: 1,000,000. */
  readonly values: number;
  /**
   * The maximum size of the part of a response that describes documents. A page of jobs or tags ends before this limit,
   * and a marker leads to the next page. A batch check counts problems beyond the limit without listing them. Default:
   * 2 MiB.
   */
  readonly answerBytes: number;
  /** The maximum number of open progress streams per tenant. Default: 100. */
  readonly streams: number;
  /** Maximum time without any received bytes of a body. After that, the client gets a 408. Default: 30,000. */
  readonly idleMs: number;
}

/** The default {@link HttpLimits}. */
export const DEFAULT_HTTP_LIMITS: HttpLimits = {
  bodyBytes: 10 * 1024 * 1024,
  entries: 10_000,
  entryBytes: 1024 * 1024,
  depth: 64,
  stringBytes: 1024 * 1024,
  keys: 500_000,
  values: 1_000_000,
  answerBytes: 2 * 1024 * 1024,
  streams: 100,
  idleMs: 30_000,
};
