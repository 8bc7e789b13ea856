/** A command line as a user types it. Arguments that a shell would change are in single quotes. */
export function commandLine(args: readonly string[]): string {
  return ["quire", ...args].map(quoted).join(" ");
}

function quoted(arg: string): string {
  if (/^[\w@%+=:,./-]+$/.test(arg)) return arg;
  return `'${arg.replaceAll("'", "'\\''")}'`;
}

const DATA = /\.(?:json|jsonl|ndjson|csv|xlsx)$/i;
const DOCUMENT = /\.(?:docx|dotx|docm|dotm|pdf)$/i;

/** Whether the name of a file is one of a data file. */
export function isDataName(path: string): boolean {
  return DATA.test(path);
}

/** Whether the name of a file is one of a template or a document. */
export function isDocumentName(path: string): boolean {
  return DOCUMENT.test(path);
}
