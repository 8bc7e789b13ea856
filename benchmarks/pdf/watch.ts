import type { Account } from "./account/account.ts";

/** Checks the processes of an account until it is stopped. */
export interface Watch {
  stop(): { readonly peakMb: number; readonly offices: readonly string[] };
}

/** Infrequent enough not to affect the measurement; starting LibreOffice takes longer than this. */
const LOOK_EVERY_MS = 100;
const OFFICE = "soffice.bin";

/** Starts the checks. */
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
