import type { Account } from "./account/account.ts";

/** Checks the processes of an account until `stop` is called. */
export interface Watch {
  stop(): { readonly peakMb: number; readonly offices: readonly string[] };
}

/**
 * Interval between checks in milliseconds. It is long enough not to affect the measurement, but shorter than a start of
 * LibreOffice.
 */
const LOOK_EVERY_MS = 100;
const OFFICE = "soffice.bin";

/** Starts checking the processes of an account. */
export function watch(account: Account): Watch {
  let peakMb = 0;
  const offices = new Set<string>();
  const look = () => {
    const processes = account.processes();
    const residentMb = processes.reduce((sum, process) => sum + process.residentMb, 0);
    peakMb = Math.max(peakMb, residentMb);
    for (const { pid, name, started } of processes) {
      if (name === OFFICE) offices.add(`${pid}-${started}`);
    }
  };
  look();
  const timer = setInterval(look, LOOK_EVERY_MS);
  return {
    stop: () => {
      clearInterval(timer);
      look();
      return { peakMb, offices: [...offices] };
    },
  };
}
