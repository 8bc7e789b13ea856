/** The stored record of an access token. The token cannot be computed from it. */
export interface TokenRecord {
  /** Identifies the token, for example to revoke it. Random; reveals nothing about the token. */
  readonly id: string;
  /** SHA-256 of the token, in lower-case hex. Tokens are random and long, so nobody can guess a token from its hash. */
  readonly hash: string;
  /** The user who sends requests with the token: the `caller` of batches and `createdBy` of files. */
  readonly user: string;
  /** The tenant that requests with the token belong to. */
  readonly enterprise: string;
  /** The names of the scopes that the token grants, each once. */
  readonly scopes: readonly string[];
  /** Milliseconds since 1970, by the wall clock. */
  readonly createdAt: number;
  /** Milliseconds since 1970, by the wall clock; null if it never expires. */
  readonly expiresAt: number | null;
}

/**
 * The access tokens that a service has issued. Every method rejects with a `QuireError`: `job_store_failed` if the
 * medium fails or the store is closed. Writes are durable when the promise resolves. The creator closes the store.
 * `conformance/token-store.ts` tests this contract.
 */
export interface TokenStore {
  /** Adds a token. Rejects `conflict` if the id or the hash already exists. */
  add(token: TokenRecord): Promise<void>;

  /** Returns the token with this hash, even if it has expired; null if the token does not exist. */
  find(hash: string): Promise<TokenRecord | null>;

  /** Returns all tokens, newest first. */
  list(): Promise<readonly TokenRecord[]>;

  /** Removes a token. Returns whether it existed. */
  remove(id: string): Promise<boolean>;

  /** Removes all tokens of an enterprise. Returns their number. */
  eraseTenant(enterprise: string): Promise<number>;
}
