/** An access token, as it is kept: nobody can make the token from it. */
export interface TokenRecord {
  /** To name it by, for example in order to revoke it. Random; says nothing of the token. */
  readonly id: string;
  /** SHA-256 of the token, in lower-case hex. Tokens are random and long, so that it cannot be guessed backwards. */
  readonly hash: string;
  readonly user: string;
  readonly enterprise: string;
  readonly scopes: readonly string[];
  /** Milliseconds since 1970, by the wall clock. */
  readonly createdAt: number;
  /** Likewise; null when it is good for ever. */
  readonly expiresAt: number | null;
}

/**
 * The access tokens that a service has given out itself. Every method rejects with a `QuireError`: `job_store_failed`
 * when the medium fails or the store is closed. What is written is durable when the promise resolves. Who made it closes it.
 * `conformance/token-store.ts` is this contract as tests.
 */
export interface TokenStore {
  /** Rejects `conflict` for an id or a hash that is there. */
  add(token: TokenRecord): Promise<void>;

  /** The token of a hash, also when it has expired; null when there is none. */
  find(hash: string): Promise<TokenRecord | null>;

  /** All of them, from the one that was added last on. */
  list(): Promise<readonly TokenRecord[]>;

  /** Whether there was one. */
  remove(id: string): Promise<boolean>;

  /** Removes all tokens of an enterprise. Returns their number. */
  eraseTenant(enterprise: string): Promise<number>;
}
