import { serviceStoreProblems, type TokenRecord, type TokenStore } from "@quire/contracts";

/**
 * Creates a token store in memory: the reference implementation of the port, for tests and trials. It does not have to
 * be closed.
 */
export function memoryTokenStore(): TokenStore {
  return new MemoryTokenStore();
}

class MemoryTokenStore implements TokenStore {
  /** The tokens by id, in the order in which they were added. */
  readonly #tokens = new Map<string, TokenRecord>();

  async add(token: TokenRecord): Promise<void> {
    const isKnown = this.#tokens.has(token.id) || this.#byHash(token.hash) !== undefined;
    if (isKnown) throw serviceStoreProblems.tokenKnown();
    const { id, hash, user, enterprise, scopes, createdAt, expiresAt } = token;
    this.#tokens.set(id, {
      id,
      hash,
      user,
      enterprise,
      scopes: [...scopes],
      createdAt,
      expiresAt,
    });
  }

  async find(hash: string): Promise<TokenRecord | null> {
    return this.#byHash(hash) ?? null;
  }

  async list(): Promise<readonly TokenRecord[]> {
    return [...this.#tokens.values()].reverse();
  }

  async remove(id: string): Promise<boolean> {
    return this.#tokens.delete(id);
  }

  async eraseTenant(enterprise: string): Promise<number> {
    const own = [...this.#tokens.values()].filter((token) => token.enterprise === enterprise);
    for (const { id } of own) this.#tokens.delete(id);
    return own.length;
  }

  #byHash(hash: string): TokenRecord | undefined {
    return [...this.#tokens.values()].find((token) => token.hash === hash);
  }
}
