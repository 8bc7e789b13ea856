/** The exit codes of `quire`. */
export const EXIT = {
  /** Everything was generated without unresolved tags; a check found no error. */
  completed: 0,
  /** Nothing could run: a usage error, an invalid template, unreadable data, no LibreOffice, … */
  nothingRan: 1,
  /** The command ran, but some entries have errors; a check found errors. */
  someErrors: 2,
  /** `run --give-up-after` ended a paused run, which the same command resumes (`EX_TEMPFAIL` of sysexits.h). */
  gaveUp: 75,
  /** The terminal was closed (SIGHUP), and the command ended in order. */
  hungUp: 129,
  /** Another signal, for example from Ctrl-C, interrupted the command. */
  interrupted: 130,
} as const;
