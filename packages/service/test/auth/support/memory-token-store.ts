import { memoryTokenStore as inMemory, QuireError, type TokenStore } from "@quire/core";

/** A token store that can be closed. After that, it fails like a store whose medium is no longer available. */
export interface MemoryTokenStore extends TokenStore {
  close(): void;
}

export function memoryTokenStore(): MemoryTokenStore {
  const store = inMemory();
  let closed = false;
  const open = (): TokenStore => {
    if (!closed) return store;
    const message = "The tokens cannot be read: the store is closed. Create a new one.";
    throw new QuireError("job_store_failed", message);
  };
  return {
    add: async (token) => open().add(token),
    find: async (hash) => open().find(hash),
    list: async () => open().list(),
    remove: async (id) => open().remove(id),
    eraseTenant: async (enterprise) => open().eraseTenant(enterprise),
    close: () => {
      closed = true;
    },
  };
}
