/** Milliseconds of a clock that cannot be set, and that all threads of the process share. */
export function monotonicMs(): number {
  return Number(process.hrtime.bigint() / 1000n) / 1000;
}
