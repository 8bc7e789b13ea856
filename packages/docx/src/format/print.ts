import { decimalText, isDecimal } from "./decimal.ts";
import { indexedElements } from "./elements.ts";

/** The kind of a value, as named in JSON and in messages. */
export type ValueKind =
  | "missing value"
  | "text"
  | "number"
  | "boolean"
  | "date"
  | "list"
  | "object"
  | "function";

/** Returns the kind of a value. `null` and `undefined` are missing values. */
export function kindOf(value: unknown): ValueKind {
  if (value === undefined || value === null) return "missing value";
  if (Array.isArray(value)) return "list";
  if (value instanceof Date) return "date";
  if (isDecimal(value)) return "number";
  switch (typeof value) {
    case "string":
      return "text";
    case "number":
    case "bigint":
      return "number";
    case "boolean":
      return "boolean";
    case "object":
      return "object";
    default:
      return "function";
  }
}

/** The printed form of a value, or why it cannot be printed (the end of a sentence: "it …"). */
export type Printed =
  | { readonly text: string; readonly problem?: never }
  | {
      readonly text?: never;
      readonly problem: string;
      /** For a list: the index of the element that cannot be printed. */
      readonly element?: number;
    };

/** Options for printing a list. */
export interface ListStyle {
  readonly between: string;
  readonly beforeLast: string;
  /** Changes the text of each element. Default: unchanged. */
  readonly change?: (text: string) => string;
}

const LIST_STYLE: ListStyle = { between: ", ", beforeLast: ", " };

/**
 * Prints a value: a string unchanged, a number in plain decimal notation, a boolean as `true` or `false`, a list as its
 * joined elements without the missing ones. A value that would print as `[object Object]`, `undefined`, `NaN` or source
 * code is a problem. The caller handles a missing value.
 */
export function printValue(value: unknown, style = LIST_STYLE): Printed {
  if (Array.isArray(value)) return printList(value, style);
  switch (kindOf(value)) {
    case "text":
      return { text: value as string };
    case "number":
      return isDecimal(value)
        ? { text: decimalText(value) }
        : printNumber(value as number | bigint);
    case "boolean":
      return { text: String(value) };
    case "date":
      return printDate(value as Date);
    case "missing value":
      return { problem: "is missing" };
    case "object":
      return { problem: "is an object, and a tag can print only the values in it" };
    default:
      return { problem: "is a function or a symbol, which cannot be printed" };
  }
}

function printList(values: readonly unknown[], style: ListStyle): Printed {
  const texts: string[] = [];
  for (const [element, value] of indexedElements(values)) {
    if (value === null || value === undefined) continue;
    if (Array.isArray(value) || kindOf(value) === "object") {
      const problem = "is a list of lists or objects: repeat it with 'for item in …'";
      // The problem is the list, not one of its elements.
      return texts.length === 0 ? { problem } : { problem, element };
    }
    const printed = printValue(value);
    if (printed.problem !== undefined) {
      return { problem: `is a list with an element that ${printed.problem}`, element };
    }
    texts.push(style.change?.(printed.text) ?? printed.text);
  }
  const last = texts.pop();
  if (last === undefined) return { text: "" };
  if (texts.length === 0) return { text: last };
  return { text: `${texts.join(style.between)}${style.beforeLast}${last}` };
}

function printDate(date: Date): Printed {
  return Number.isNaN(date.getTime())
    ? { problem: "is an invalid date" }
    : { text: date.toISOString() };
}

function printNumber(value: number | bigint): Printed {
  if (typeof value === "bigint") return { text: value.toString() };
  if (!Number.isFinite(value)) return { problem: "is not a finite number" };
  return { text: plainDecimal(Object.is(value, -0) ? "0" : String(value)) };
}

/** Writes a number without an exponent: `1.5e-7` becomes `0.00000015`. */
function plainDecimal(text: string): string {
  const match = /^(-?)(\d+)(?:\.(\d+))?e([+-]\d+)$/.exec(text);
  if (match === null) return text;
  const [, sign = "", whole = "", fraction = "", exponent = "0"] = match;
  const digits = whole + fraction;
  const point = whole.length + Number(exponent);
  if (point <= 0) return `${sign}0.${"0".repeat(-point)}${digits}`;
  if (point >= digits.length) return `${sign}${digits}${"0".repeat(point - digits.length)}`;
  return `${sign}${digits.slice(0, point)}.${digits.slice(point)}`;
}
