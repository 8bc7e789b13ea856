import { QuireError } from "../errors.ts";
import { foldName, parseFileName, renamed } from "./output-names.ts";

/** What to do when the name of an output file is taken: `rename` uses `name (1).pdf` instead. */
export type ConflictPolicy = "rename" | "fail";

/**
 * Reserves and returns a name in a folder, or a replacement if it is taken. Throws `conflict` or `item_name_invalid`.
 */
export type ReserveName = (wanted: string, policy: ConflictPolicy) => string;

/**
 * Reserves names for the jobs of a batch in order. `take` takes a folded name in the folder and returns whether it was
 * free. Even a thousand equal names are cheap: each search continues where the previous one ended.
 */
export function nameReserver(take: (foldedName: string) => boolean): ReserveName {
  const nextNumbers = new Map<string, number>();
  return (wanted, policy) => {
    const name = parseFileName(wanted);
    const folded = foldName(name);
    if (take(folded)) return name;
    if (policy === "fail") throw nameTaken(name);
    for (let number = nextNumbers.get(folded) ?? 1; ; number++) {
      const other = renamed(name, number);
      if (take(foldName(other))) {
        nextNumbers.set(folded, number + 1);
        return other;
      }
    }
  };
}

/** Returns the error for a taken name that must not be changed. */
function nameTaken(name: string): QuireError {
  return new QuireError(
    "conflict",
    `The file name ${JSON.stringify(name)} is taken, by another entry or by a file in the folder. Use another name or another folder, or set on_conflict to "rename".`,
  );
}
