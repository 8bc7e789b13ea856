/** Returns the number of random cases of a test: `fast` in `npm test`, `full` in `npm run test:long`. */
export function manyRuns(fast: number, full: number): number {
  return process.env.QUIRE_TEST_LEVEL === "long" ? full : fast;
}
