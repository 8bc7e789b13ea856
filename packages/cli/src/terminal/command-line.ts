/** Formats a command line as a user types it. Arguments that a shell would change are in single quotes. */
export function commandLine(args: readonly string[]): string {
  return ["quire", ...args].map(quoted).join(" ");
}

function quoted(arg: string): string {
  if (/^[\w@%+=:,./-]+$/.test(arg)) return arg;
  return `'${arg.replaceAll("'", "'\\''")}'`;
}

const DATA = /\.(?:json|jsonl|ndjson|csv|xlsx)$/i;
const DOCUMENT = /\.(?:docx|dotx|docm|dotm|pdf)$/i;

/** Whether a file is a data file, by its name. */
export function isDataName(path: string): boolean {
  return DATA.test(path);
}

/** Whether a file is a template or a document, by its name. */
export function isDocumentName(path: string): boolean {
  return DOCUMENT.test(path);
}
