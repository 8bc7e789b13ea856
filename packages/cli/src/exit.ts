/** The exit codes of `quire`. */
export const EXIT = {
  /** Everything asked for was made, without an unresolved tag; a check found no error. */
  completed: 0,
  /** Nothing could run: a usage error, a wrong template, unreadable data, no LibreOffice, … */
  nothingRan: 1,
  /** It ran, and some entries have errors; a check found errors in what it looked at. */
  someErrors: 2,
  /** Stopped by Ctrl-C. */
  interrupted: 130,
} as const;
