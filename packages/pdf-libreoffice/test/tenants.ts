/** Slow documents of one tenant. */
import type { SharedOffice } from "./laboratory.ts";

/** Slow documents that were sent. */
export interface Sent {
  /** Number of documents that have ended in any way. */
  ended(): number;
  giveUp(): Promise<void>;
}

/** Sends documents of a tenant in one batch. */
export function sendSlow(office: SharedOffice, documents: readonly Uint8Array[]): Sent {
  const enough = new AbortController();
  let ended = 0;
  const count = (): void => {
    ended += 1;
  };
  const options = { rendered: true, tenant: "slow", group: "batch", signal: enough.signal };
  const all = documents.map((each) => office.convert(each, options).then(count, count));
  return {
    ended: () => ended,
    giveUp: async () => {
      enough.abort();
      await Promise.all(all);
    },
  };
}
