import { resolve } from "node:path";
import { type Io, writeLine } from "../io.ts";
import type { Assembled } from "./assemble.ts";
import type { Settings } from "./settings.ts";

/** A service that listens. */
export interface Serving {
  readonly settings: Settings;
  readonly assembled: Assembled;
  /** Where it listens. */
  readonly url: string;
  /** Settings that are not as they are by default, in words. */
  readonly changed: readonly string[];
}

/** Tells on standard error what is served and how to get in; the log goes to standard output. */
export function printTable(io: Io, { settings, assembled, url, changed }: Serving): void {
  const { data, prefix, publicUrl, webhookKey } = settings;
  const { place, makesPdf, letsIn } = assembled;
  const base = (publicUrl ?? url) + prefix;
  const rows: readonly (readonly [string, string])[] = [
    ["API", `${base}/2.0`],
    ["for SDKs", `baseUrl and uploadUrl ${base}`],
    ["docs", `${base}/docs`],
    ["listens on", url],
    ["data", resolve(io.cwd, data)],
    ["files", place],
    ["output", makesPdf ? "docx, pdf" : "docx (no LibreOffice)"],
    ["accepts", letsIn.length === 0 ? "no tokens yet" : letsIn.join("; ")],
    ["webhooks", webhookKey === undefined ? "none (no --webhook-key)" : "signed"],
    ...(changed.length === 0 ? [] : ([["settings", changed.join(", ")]] as const)),
  ];
  const width = Math.max(...rows.map(([name]) => name.length));
  for (const [name, value] of rows) writeLine(io.stderr, `  ${name.padEnd(width)}  ${value}`);
  if (letsIn.length > 0) return;
  writeLine(
    io.stderr,
    [
      "There are no tokens yet, so no request is accepted. Create a token; it works immediately:",
      `  quire token create --user me --enterprise mine --data ${shellQuoted(resolve(io.cwd, data))}`,
    ].join("\n"),
  );
}

function shellQuoted(text: string): string {
  return /^[\w./~-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
