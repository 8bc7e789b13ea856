/** The content of a cell: always a string in CSV; null for an empty cell. */
export type Cell = string | number | boolean | null;

/** Why a cell cannot be used. `problem` completes the sentence "The cell … ". */
export interface CellProblem {
  readonly problem: string;
  readonly hint: string;
}

/** Converts a cell to the value that templates get. Null means a missing value. */
export type CellReader = (cell: Cell) => Cell | CellProblem;

/** Whether a cell is empty or contains only spaces. */
export function isBlank(cell: Cell | CellProblem): boolean {
  return cell === null || (typeof cell === "string" && cell.trim() === "");
}

/** Whether reading a cell failed. */
export function isProblem(reading: Cell | CellProblem): reading is CellProblem {
  return typeof reading === "object" && reading !== null;
}

/** The result for text with two possible meanings. */
export const AMBIGUOUS = Symbol("ambiguous");

/**
 * Reads a number or a date from text and returns it in the spelling that templates use; null if the text is neither.
 */
export type TextReader = (text: string) => string | typeof AMBIGUOUS | null;
