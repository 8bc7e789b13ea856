const SLICE_BYTES = 64 * 1024;

/** Options of {@link sentBody}. */
export interface SendOptions {
  /** The maximum time in milliseconds without the client reading anything. After that, the transfer is aborted. */
  readonly idleMs: number;
  /** Called once: after the last byte was read, after the client disconnected, or after the transfer was aborted. */
  readonly onEnd: () => void;
}

/** Returns bytes as a body that is sent as fast as the client reads it. */
export function sentBody(
  bytes: Uint8Array,
  { idleMs, onEnd }: SendOptions,
): ReadableStream<Uint8Array> {
  let ended = false;
  let timer: NodeJS.Timeout | undefined;
  const end = (): void => {
    clearTimeout(timer);
    if (!ended) onEnd();
    ended = true;
  };
  let sent = 0;
  return new ReadableStream<Uint8Array>({
    pull(controller) {
      clearTimeout(timer);
      if (sent >= bytes.length) {
        end();
        controller.close();
        return;
      }
      controller.enqueue(bytes.subarray(sent, sent + SLICE_BYTES));
      sent += SLICE_BYTES;
      timer = setTimeout(() => {
        end();
        controller.error(new Error("The client stopped reading."));
      }, idleMs).unref();
    },
    cancel: end,
  });
}
