import { patternDate } from "./dates.ts";
import { localeProblem } from "./locale-problem.ts";

/** The type of a column, as `--types` declares it. */
export type ColumnType =
  | { readonly kind: "text" | "boolean" }
  /** If the locale is null, the file's own notation applies. */
  | { readonly kind: "number" | "date"; readonly locale: string | null }
  | { readonly kind: "pattern"; readonly pattern: string }
  /** Excel's day numbers. */
  | { readonly kind: "days"; readonly from1904: boolean };

/** The parsed value of `--types`. */
export interface ColumnTypes {
  /** The type of all other columns: the type that the template needs (`auto`), or unchanged text (`text`). */
  readonly others: "auto" | "text";
  /** The types by column name in the header. */
  readonly columns: ReadonlyMap<string, ColumnType>;
  /** The value as typed. */
  readonly source: string;
}

export const NO_TYPES: ColumnTypes = { others: "auto", columns: new Map(), source: "" };

/** A mistake in `--types`; the message is a sentence. */
export class TypesError extends Error {}

/**
 * Reads `--types`: columns with their types, separated by commas, as in `net:number(de),born:date(dd.MM.yyyy)`, and
 * `text` or `auto` alone for all others. A name with a comma is in double quotes. Adds to the types in `before`. Throws
 * {@link TypesError}.
 */
export function parseTypes(source: string, before: ColumnTypes = NO_TYPES): ColumnTypes {
  let { others } = before;
  const columns = new Map(before.columns);
  for (const item of splitItems(source)) {
    if (item === "auto" || item === "text") others = item;
    else {
      const { name, type } = parseColumn(item);
      if (columns.has(name)) throw new TypesError(`${JSON.stringify(name)} is given twice.`);
      columns.set(name, type);
    }
  }
  return { others, columns, source: [before.source, source].filter(Boolean).join(",") };
}

/** Splits at commas outside quotes and parentheses. */
function splitItems(source: string): string[] {
  const items = source.match(/(?:"[^"]*"|\([^()]*\)|[^,"()]|["()])+/g) ?? [];
  return items.map((item) => item.trim()).filter((item) => item !== "");
}

const COLUMN = /^(?:"([^"]+)"|(.+?))\s*:\s*([a-z]+)(?:\(([^()]*)\))?$/s;
const EXAMPLES =
  "Write for example married:boolean, net:number, net:number(de), born:date(dd.MM.yyyy), born:date(excel) or code:text.";

function parseColumn(item: string): { readonly name: string; readonly type: ColumnType } {
  const [, quoted, plain, kind = "", argument] = COLUMN.exec(item) ?? [];
  const name = quoted ?? plain?.trim();
  if (name === undefined) {
    throw new TypesError(
      `${JSON.stringify(item)} is not a column name followed by a type. ${EXAMPLES}`,
    );
  }
  return { name, type: parseType(kind, argument?.trim()) };
}

function parseType(kind: string, argument: string | undefined): ColumnType {
  if ((kind === "text" || kind === "boolean") && argument === undefined) return { kind };
  if (kind === "number") return { kind, locale: localeIn(argument) };
  if (kind !== "date") {
    const given = argument === undefined ? kind : `${kind}(${argument})`;
    throw new TypesError(`${JSON.stringify(given)} is not a column type. ${EXAMPLES}`);
  }
  if (argument === "excel" || argument === "excel1904") {
    return { kind: "days", from1904: argument === "excel1904" };
  }
  if (argument !== undefined && /yy/i.test(argument)) {
    if (patternDate(argument) !== null) return { kind: "pattern", pattern: argument };
    throw new TypesError(
      `${JSON.stringify(argument)} is not a pattern for reading dates. It must contain yyyy, MM and dd once each, as in yyyy-MM-dd, and may contain HH, mm and ss.`,
    );
  }
  return { kind, locale: localeIn(argument) };
}

function localeIn(argument: string | undefined): string | null {
  if (argument === undefined) return null;
  const problem = localeProblem(argument);
  if (problem === null) return argument;
  throw new TypesError(`The language ${JSON.stringify(argument)} ${problem}.`);
}
