import type { PlaceUse } from "@quire/core";
import { AMBIGUOUS, type Cell, type CellProblem, type CellReader, isBlank } from "./cell.ts";
import { leftoverIn } from "./leftovers.ts";
import { isRead, type Notation } from "./notation.ts";
import { clearNumber } from "./numbers.ts";
import { isZero, truthOf } from "./words.ts";

/**
 * Reads the cells of a column according to their use in the template. A cell remains a string if possible, so that it
 * is printed as written. It is converted if the template needs a number, a date or a boolean. It is rejected if the
 * conversion fails, if the template also prints its text, which the conversion would change, or if a program wrote the
 * text in place of a value.
 */
export function autoReader(name: string, use: PlaceUse | null, notation: Notation): CellReader {
  if (use === null) return (cell) => (isBlank(cell) ? null : cell);
  const column = new AutoColumn(name, use, notation);
  return (cell) => (isBlank(cell) ? null : column.read(cell));
}

class AutoColumn {
  readonly #name: string;
  readonly #use: PlaceUse;
  readonly #notation: Notation;
  /** The first tags that name the column, for messages. */
  readonly #tags: string;

  constructor(name: string, use: PlaceUse, notation: Notation) {
    this.#name = name;
    this.#use = use;
    this.#notation = notation;
    this.#tags = use.tags.join(", ");
  }

  read(cell: Cell): Cell | CellProblem {
    if (typeof cell === "string") return this.#text(cell);
    const { asNumber, inOrder, asBoolean, asTextOnly } = this.#use;
    const isNumber = typeof cell === "number";
    if (!isNumber && asNumber) return this.#noNumber();
    if (!isNumber && inOrder) return this.#noOrder();
    if (isNumber && asBoolean) return this.#asBoolean(String(cell));
    return asTextOnly ? this.#text(String(cell)) : cell;
  }

  #text(text: string): Cell | CellProblem {
    const { asBoolean, asCondition, texts } = this.#use;
    // Whether a condition in the template compares the value with exactly this text.
    const isMeant = texts.includes(text);
    const leftover = isMeant ? null : leftoverIn(text, this.#name);
    if (leftover !== null) return leftover;
    const value = isMeant ? text : this.#spelled(text);
    if (typeof value !== "string") return value;
    if (asBoolean) return isMeant ? text : this.#asBoolean(text);
    const read = asCondition ? this.#asCondition(text, value) : value;
    return !isMeant && typeof read === "string" && this.#isNumberOnly() ? clearNumber(read) : read;
  }

  /** Whether the template needs a number and does not print the text. */
  #isNumberOnly(): boolean {
    const { asNumber, formattedNumber, inOrder, asText, asTextOnly } = this.#use;
    return (asNumber || formattedNumber || inOrder) && !asText && !asTextOnly;
  }

  /** Converts a cell to the form in which templates read numbers or dates, if the template needs either of them. */
  #spelled(text: string): string | CellProblem {
    const { asNumber, formattedNumber, inOrder, formattedDate } = this.#use;
    if (asNumber || formattedNumber) return this.#asNumber(text);
    return inOrder || formattedDate ? this.#asDate(text) : text;
  }

  #asNumber(text: string): string | CellProblem {
    const { number, locale } = this.#notation;
    const read = number(text);
    if (isRead(read)) return this.#inItsPlace(text, read);
    if (read === AMBIGUOUS) return this.#eitherNumber();
    // Other text is kept. The tag that formats it reports the problem, unless a condition skips that tag.
    const isForeign = locale === null ? isOfDigits(text) : isPlain(text);
    return this.#use.asNumber || isForeign ? this.#noNumber() : text;
  }

  /** Reads a date, or a number if the template compares the order of values. */
  #asDate(text: string): string | CellProblem {
    const { inOrder, formattedDate } = this.#use;
    const { number, date } = this.#notation;
    const read = inOrder ? number(text) : null;
    if (read === AMBIGUOUS) return this.#eitherNumber();
    const found = isRead(read) ? read : date(text);
    if (found === AMBIGUOUS) return this.#eitherDate();
    if (found !== null) return this.#inItsPlace(text, found);
    if (formattedDate && isDayNumber(text)) return this.#dayNumber();
    return inOrder ? this.#noOrder() : text;
  }

  /** Returns the converted text; a problem if it differs from the cell and the template also prints the cell. */
  #inItsPlace(text: string, spelled: string): string | CellProblem {
    if (spelled === text || !this.#use.asText) return spelled;
    return {
      problem: `must be converted to a number or date that templates can read, but the template also prints its text: ${this.#tags}`,
      hint: `Declare its type, for example --types '${this.#name}:${this.#declared()}': then a plain tag prints 1234.5, or a date as 2026-11-20.`,
    };
  }

  #declared(): string {
    const { asNumber, formattedNumber } = this.#use;
    return asNumber || formattedNumber ? "number" : "date";
  }

  #asBoolean(text: string): Cell | CellProblem {
    const truth = truthOf(text);
    if (truth === null) return this.#noTruth();
    return this.#use.asText && String(truth) !== text ? this.#shows() : truth;
  }

  #asCondition(text: string, value: string): Cell | CellProblem {
    const { asText, asTextOnly, onlyTrueOrFalse } = this.#use;
    const number = this.#notation.number(text);
    const isNone = isZero(text) || (isRead(number) && Number(number) === 0);
    const truth = isNone ? false : truthOf(text);
    if (onlyTrueOrFalse) {
      const isSized = number !== null || this.#notation.date(text) !== null;
      return truth ?? (isSized || this.#noTruth());
    }
    if (truth !== false) return value;
    const falsy = isNone ? 0 : false;
    const isSame = String(falsy) === text && !asTextOnly;
    return !asText || isSame ? falsy : this.#shows();
  }

  #noNumber(): CellProblem {
    const { locale } = this.#notation;
    const text = `read the column as text with --types '${this.#name}:text'`;
    return {
      problem: `is not a number, but the template needs one for ${this.#tags}`,
      hint:
        locale === null
          ? `Write numbers as 1234.50, say how the file writes them, for example --data-locale de, or ${text}.`
          : `Write numbers as ${new Intl.NumberFormat(locale).format(1234.5)} (--data-locale ${locale}), or ${text}.`,
    };
  }

  #eitherNumber(): CellProblem {
    return {
      problem: `has a dot before three digits, so it may be 1234 or 1.234, but the template needs a number for ${this.#tags}`,
      hint: "Say how the file writes numbers: --data-locale de if the dot groups digits, --data-locale en if the dot is the decimal point.",
    };
  }

  #eitherDate(): CellProblem {
    return {
      problem: `is an ambiguous date (day first or month first), but the template needs a date for ${this.#tags}`,
      hint: `Say how the file writes dates: --data-locale en-GB or en-US, or --types '${this.#name}:date(dd/MM/yyyy)'.`,
    };
  }

  #dayNumber(): CellProblem {
    return {
      problem: `may be an Excel day number, but the template needs a date for ${this.#tags}`,
      hint: `Format the column as a date in Excel and save the file again, or use --types '${this.#name}:date(excel)'.`,
    };
  }

  #noOrder(): CellProblem {
    return {
      problem: `is neither a number nor a date, but the template needs one for ${this.#tags}`,
      hint: `Write numbers as 1234.50 and dates as 2026-11-20, or say how to read them: --data-locale de, --types '${this.#name}:text'.`,
    };
  }

  #noTruth(): CellProblem {
    return {
      problem: `is not a word for yes or no, but the template needs one for ${this.#tags}`,
      hint: `Write yes or no, true or false, 1 or 0, or read the column as text with --types '${this.#name}:text': then any text counts as true.`,
    };
  }

  #shows(): CellProblem {
    return {
      problem: `is a word for yes or no, or zero, and the template both prints it and tests whether it is true: ${this.#tags}`,
      hint: `Declare its type: --types '${this.#name}:boolean' prints true or false, '${this.#name}:number' a number, and with '${this.#name}:text' any text counts as true.`,
    };
  }
}

function isPlain(text: string): boolean {
  return text.trim() !== "" && Number.isFinite(Number(text));
}

/** Whether the text is a number in some language: `1.234,50`, `1 234,5`, `1'234`. */
function isOfDigits(text: string): boolean {
  return /^\s*[-+−]?\d[\d.,'’\s]*$/.test(text);
}

/** Whether the text could be the number of a day since 1900: five digits, possibly with a fraction. */
function isDayNumber(text: string): boolean {
  return /^\s*\d{5}(?:\.\d+)?\s*$/.test(text);
}
