import type { Cell, CellProblem } from "../types/cell.ts";
import { excelDate } from "../types/dates.ts";
import type { NumberForm } from "./styles.ts";

/** The number of digits that Excel shows and distinguishes. */
const SHOWN_DIGITS = 15;
/** The most digits that a double needs. */
const DOUBLE_DIGITS = 17;

/**
 * The value of a number in a cell: with 15 digits, as Excel shows it in the format General, or as a date or time if
 * the cell has such a format. A whole number with more digits than Excel ever writes is a text of the same digits.
 */
export function numberCell(text: string, form: NumberForm, from1904: boolean): Cell | CellProblem {
  const number = Number(text);
  if (text.trim() === "" || !Number.isFinite(number)) {
    return { problem: "holds a number that cannot be read", hint: "Correct the cell." };
  }
  switch (form) {
    case "number":
      return isLong(text) ? text.trim() : Number(number.toPrecision(SHOWN_DIGITS));
    case "elapsed":
      return spanOf(number);
    case "time":
      return number >= 0 && number < 1 ? clockOf(number) : dateCell(number, from1904, true);
    case "date":
    case "datetime":
      return dateCell(number, from1904, form === "datetime");
  }
}

/** Whether a whole number has more digits than any that is a double. */
function isLong(text: string): boolean {
  return /^-?\d+$/.test(text.trim()) && text.replace(/\D/g, "").length > DOUBLE_DIGITS;
}

function dateCell(number: number, from1904: boolean, withTime: boolean): Cell | CellProblem {
  // Rounding errors must not turn midnight into the day before.
  const day = Math.floor(number + 1e-9);
  const date = excelDate(withTime && number > day ? number : day, from1904);
  if (date === null) {
    return {
      problem: "holds a date that does not exist",
      hint: "Correct the cell, or its format.",
    };
  }
  return withTime && date.length === 10 ? `${date}T00:00` : date;
}

/** `36:30`, `36:30:15`, `-0:05`. */
function spanOf(days: number): string {
  const seconds = Math.round(Math.abs(days) * 86_400);
  const [minutes, hours] = [Math.floor(seconds / 60) % 60, Math.floor(seconds / 3600)];
  const rest = seconds % 60 === 0 ? "" : `:${twoDigits(seconds % 60)}`;
  return `${days < 0 ? "-" : ""}${hours}:${twoDigits(minutes)}${rest}`;
}

/** `09:05`, `09:05:30`. */
function clockOf(days: number): string {
  // 23:59:59.9 must not become 24:00.
  const span = spanOf(Math.min(days, 86_399 / 86_400));
  return span.length % 3 === 1 ? `0${span}` : span;
}

function twoDigits(number: number): string {
  return String(number).padStart(2, "0");
}
