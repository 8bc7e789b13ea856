import { losesDigits } from "@quire/core";
import type { Cell, CellProblem } from "../../entries/cell.ts";
import { excelDate } from "../../entries/dates.ts";
import { type DigitMask, masked } from "./digit-mask.ts";
import type { NumberForm } from "./styles.ts";

/** The number of digits that Excel shows and distinguishes. */
const SHOWN_DIGITS = 15;
/** In days. In a time format, smaller numbers are times of day or time spans, and all others are dates with times. */
const FIRST_YEAR = 366;

/**
 * Returns the value of a number in a cell: with 15 digits, as Excel shows it in the format General; as a date or time
 * if the cell has such a format; or as the text that Excel shows if the format pads it with zeros, as for postal codes.
 * An integer with more than 15 digits, which other programs write, keeps all of them.
 */
export function numberCell(text: string, form: NumberForm, from1904: boolean): Cell | CellProblem {
  const number = Number(text);
  if (text.trim() === "" || !Number.isFinite(number)) {
    return { problem: "contains a number that cannot be read", hint: "Correct the cell." };
  }
  if (typeof form === "object") return codeOf(text, form);
  switch (form) {
    case "number":
      return plainNumber(text);
    case "elapsed":
      return spanOf(number);
    case "time":
      if (number >= 1 && number < FIRST_YEAR) return SPAN_AS_TIME;
      return number >= 0 && number < 1 ? clockOf(number) : dateCell(number, from1904, true);
    case "date":
    case "datetime":
      return dateCell(number, from1904, form === "datetime");
  }
}

const SPAN_AS_TIME: CellProblem = {
  problem: "contains more than 24 hours, but its format does not show days",
  hint: "Give it the format [h]:mm for a duration, or a format that also shows the date.",
};

const WHOLE = /^-?\d+$/;

function plainNumber(text: string): Cell {
  const trimmed = text.trim();
  if (!WHOLE.test(trimmed)) return Number(Number(trimmed).toPrecision(SHOWN_DIGITS));
  return losesDigits(trimmed) ? trimmed : Number(trimmed);
}

function codeOf(text: string, mask: DigitMask): Cell {
  const value = plainNumber(text);
  const digits = String(value);
  const isShown = /^\d+$/.test(digits) && !(value === 0 && mask.hasOtherZero);
  return isShown ? masked(digits, mask) : value;
}

function dateCell(number: number, from1904: boolean, withTime: boolean): Cell | CellProblem {
  // Rounding errors must not turn midnight into the day before.
  const day = Math.floor(number + 1e-9);
  const date = excelDate(withTime && number > day ? number : day, from1904);
  if (date === null) {
    return {
      problem: "contains a date that does not exist",
      hint: "Correct the cell, or its format.",
    };
  }
  return withTime && date.length === 10 ? `${date}T00:00` : date;
}

/** Formats a time span: `36:30`, `36:30:15`, `-0:05`. */
function spanOf(days: number): string {
  const seconds = Math.round(Math.abs(days) * 86_400);
  const [minutes, hours] = [Math.floor(seconds / 60) % 60, Math.floor(seconds / 3600)];
  const rest = seconds % 60 === 0 ? "" : `:${twoDigits(seconds % 60)}`;
  return `${days < 0 ? "-" : ""}${hours}:${twoDigits(minutes)}${rest}`;
}

/** Formats a time of day: `09:05`, `09:05:30`. `days` is a fraction of a day. */
function clockOf(days: number): string {
  // 23:59:59.9 must not become 24:00.
  const span = spanOf(Math.min(days, 86_399 / 86_400));
  return span.length % 3 === 1 ? `0${span}` : span;
}

function twoDigits(number: number): string {
  return String(number).padStart(2, "0");
}
