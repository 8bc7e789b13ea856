/** What a cell of a table holds: of CSV always a text; null for an empty one. */
export type Cell = string | number | boolean | null;

/** Why a cell cannot be taken. `problem` completes the sentence "The column … ". */
export interface CellProblem {
  readonly problem: string;
  readonly hint: string;
}

/** Makes of a cell the value that templates get; null is a missing value. */
export type CellReader = (cell: Cell) => Cell | CellProblem;

/** Whether nothing is to be seen in a cell. */
export function isBlank(cell: Cell | CellProblem): boolean {
  return cell === null || (typeof cell === "string" && cell.trim() === "");
}

/** Whether a reading failed. */
export function isProblem(reading: Cell | CellProblem): reading is CellProblem {
  return typeof reading === "object" && reading !== null;
}

/** What a text may mean in two ways. */
export const AMBIGUOUS = Symbol("ambiguous");

/**
 * Reads a number or a date in a text and gives it in the spelling of templates; null when the text is neither.
 */
export type TextReader = (text: string) => string | typeof AMBIGUOUS | null;
