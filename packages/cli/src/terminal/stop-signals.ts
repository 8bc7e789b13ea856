import { EXIT } from "./exit.ts";
import type { Io, StopSignal } from "./io.ts";

const STOP_SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const satisfies readonly StopSignal[];

/**
 * Calls the listener for each signal that stops a command, with the exit code for the signal. Returns a function that
 * removes the listener. After the first signal, SIGHUP is ignored: when a terminal is closed, the kernel and the shell
 * may both send it, and only a person should be able to ask for an immediate end.
 */
export function onStop({ signals }: Pick<Io, "signals">, stop: (exitCode: number) => void) {
  let isStopping = false;
  const listeners = STOP_SIGNALS.map((signal) => {
    const listener = (): void => {
      if (isStopping && signal === "SIGHUP") return;
      isStopping = true;
      stop(signal === "SIGHUP" ? EXIT.hungUp : EXIT.interrupted);
    };
    signals.on(signal, listener);
    return [signal, listener] as const;
  });
  return (): void => {
    for (const [signal, listener] of listeners) signals.off(signal, listener);
  };
}
