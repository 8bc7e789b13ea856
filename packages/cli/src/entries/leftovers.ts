import type { CellProblem } from "./cell.ts";

/** Text that a program wrote in place of a value. */
interface Leftover {
  readonly pattern: RegExp;
  readonly problem: string;
  readonly hint: string;
}

const LEFTOVERS: readonly Leftover[] = [
  {
    // Also matches other languages (#NV, #WERT!, #¡REF!, #Н/Д) and LibreOffice (Err:502).
    pattern: /^(?:#(?:N\/[ABD]|NV|I\/T|Н\/Д|[¡¿]?[\p{Lu}\d/_]+[!?])|Err:\d{3})$/u,
    problem: "contains a spreadsheet error",
    hint: "Correct its formula",
  },
  {
    pattern: /^#{2,}$/,
    problem: "contains only the characters that a spreadsheet shows if a column is too narrow",
    hint: "Make the column wider, and save the file again",
  },
  {
    pattern: /^[+-]?\d(?:[.,]\d+)?E\+\d{2,3}$/,
    problem: "is a number that a spreadsheet shortened, such as 4.01E+12",
    hint: "Give the column a format that shows all digits, and save the file again",
  },
  {
    pattern: /^(?:\\N|NULL)$/,
    problem: "is a database's word for a missing value",
    hint: "Leave such cells empty",
  },
  {
    pattern: /^=".*"$/s,
    problem: "contains a formula instead of its result",
    hint: "Save the file with results",
  },
];

/** A quick test. Most strings do not match it, and need no further test. */
const SUSPECT = /^\s*[#E\\N=]|E\+/;

/** Returns why the text cannot be a value of the column with this name; null if it can. */
export function leftoverIn(text: string, name: string): CellProblem | null {
  if (!SUSPECT.test(text)) return null;
  const found = LEFTOVERS.find(({ pattern }) => pattern.test(text.trim()));
  if (found === undefined) return null;
  const { problem, hint } = found;
  return { problem, hint: `${hint}, or read the column as text with --types '${name}:text'.` };
}
