const SLICE_BYTES = 64 * 1024;

/** How a body is sent. */
export interface SendOptions {
  /** A client that takes nothing for so long is given up. */
  readonly idleMs: number;
  /** Called once: when the last byte was taken, or the client has gone or was given up. */
  readonly onEnd: () => void;
}

/** Bytes as a body that is sent as fast as the client takes it. */
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
        controller.error(new Error("The client takes nothing."));
      }, idleMs).unref();
    },
    cancel: end,
  });
}
