/** How a column is moved. Times are whole numbers of milliseconds since 1970. */
export type MovedType =
  /** A safe integer. */
  | "integer"
  /** Any number. */
  | "real"
  /** 0 or 1. */
  | "flag"
  /** Text that comes from outside, and may contain any character. */
  | "text"
  /** Text that Quire made, such as JSON, without U+0000. */
  | "plain"
  | "bytes";

/** A value of a moved row. The type of its column determines which of these it can be. */
export type MovedValue = null | number | string | Uint8Array;

/** A row of a {@link MovedTable}: a value for each of its columns, in their order. */
export type MovedRow = readonly MovedValue[];

/** A table in the form in which its rows leave one kind of stores and enter another. */
export interface MovedTable {
  /** The name of the table. */
  readonly name: string;
  /** The types of its columns, in their order. */
  readonly columns: Readonly<Record<string, MovedType>>;
  /** This number of columns, from the first, identify a row. */
  readonly key: number;
}

/**
 * All data of the stores of a service, for a move to stores of another kind. While it is open, nothing else uses the
 * stores, so every read gets the same rows. `MOVED_TABLES` lists the tables. A job is never in progress: the source
 * returns the jobs of dead workers to the queue.
 */
export interface StoresSource {
  /** Identifies the move: the same each time the source is opened, until somebody gives up the move. */
  readonly id: string;
  /** Names the stores in messages. */
  readonly name: string;
  /** The target that was given to {@link begin}; null if the move has not begun. */
  readonly target: string | null;
  /** Whether {@link finish} was called, now or before a restart. */
  readonly isFinished: boolean;
  /** What somebody does to give up the move and use the stores again, such as "remove the file". */
  readonly undo: string;

  /**
   * Marks the stores as being moved, durably: nothing else opens them any more. Then nothing changes them, so the rows
   * are the same after a restart. Call it before the first row is read, each time.
   */
  begin(target: string): Promise<void>;

  /** Returns the number of rows of a table. */
  count(table: MovedTable): number;

  /**
   * Returns the next rows of a table, in the order of their keys, after the row with the key `after`, from the first one
   * if it is null. The number and the size of the rows are limited, but a single row can have any size. Empty after the
   * last row.
   */
  rows(table: MovedTable, after: MovedRow | null): Promise<readonly MovedRow[]>;

  /** Returns the highest number that each table has ever given to a row, by the name of the table. */
  lastNumbers(): ReadonlyMap<string, number>;

  /** Marks the stores as moved, durably. */
  finish(): Promise<void>;

  /** Closes the source. Closing twice is not an error. */
  close(): void;
}
