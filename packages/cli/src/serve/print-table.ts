import { resolve } from "node:path";
import { type Io, writeLine } from "../terminal/io.ts";
import type { Assembled } from "./assemble.ts";
import type { Settings } from "./settings.ts";
import { placeInWords } from "./stores.ts";

/** A running service. */
export interface Serving {
  readonly settings: Settings;
  readonly assembled: Assembled;
  /** The URL at which the service listens. */
  readonly url: string;
  /** Descriptions of settings that differ from their defaults. */
  readonly changed: readonly string[];
}

/** Prints the URLs, the settings and the accepted tokens to standard error. The log goes to standard output. */
export function printTable(io: Io, { settings, assembled, url, changed }: Serving): void {
  const { data, database, prefix, publicUrl, webhookKey } = settings;
  const { place, output, letsIn } = assembled;
  const base = (publicUrl ?? url) + prefix;
  printRows(io, [
    ["API", `${base}/2.0`],
    ["for SDKs", `baseUrl and uploadUrl ${base}`],
    ["docs", `${base}/docs`],
    ["listens on", url],
    [database === undefined ? "data" : "stores", placeInWords(io, settings)],
    ["files", place],
    ["output", output],
    ["accepts", letsIn.length === 0 ? "no tokens yet" : letsIn.join("; ")],
    ["webhooks", webhookKey === undefined ? "none (no --webhook-key)" : "signed"],
    ...(changed.length === 0 ? [] : ([["settings", changed.join(", ")]] as const)),
  ]);
  if (letsIn.length > 0) return;
  const named = database === undefined ? ` --data ${shellQuoted(resolve(io.cwd, data))}` : "";
  const how = database === undefined ? "" : " with the same QUIRE_DATABASE";
  writeLine(
    io.stderr,
    [
      `No tokens exist yet, so no request is accepted. Create a token${how}; it works immediately:`,
      `  quire token create --user me --enterprise mine${named}`,
    ].join("\n"),
  );
}

/** Prints names and values in two columns to standard error. */
export function printRows(io: Io, rows: readonly (readonly [name: string, value: string])[]): void {
  const width = Math.max(...rows.map(([name]) => name.length));
  for (const [name, value] of rows) writeLine(io.stderr, `  ${name.padEnd(width)}  ${value}`);
}

function shellQuoted(text: string): string {
  return /^[\w./~-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
