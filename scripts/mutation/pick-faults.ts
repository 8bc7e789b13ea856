/** Picks random faults: small changes to the source that still compile and should make a test fail. */
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** A line of a source file, and its replacement. */
export interface Fault {
  /** The path relative to the root of the repository. */
  readonly file: string;
  /** The whole line without its indentation. It occurs only once in the file. */
  readonly line: string;
  readonly becomes: string;
}

/** Parts of lines, and their replacements. Only the first occurrence in a line is replaced. */
const CHANGES: readonly (readonly [RegExp, string])[] = [
  [/ === /, " !== "],
  [/ !== /, " === "],
  [/ < /, " <= "],
  [/ <= /, " < "],
  [/ > /, " >= "],
  [/ >= /, " > "],
  [/ && /, " || "],
  [/ \|\| /, " && "],
  [/ \+ 1\b/, " + 2"],
  [/ - 1\b/, ""],
  [/ \+= /, " -= "],
  [/\bMath\.min\b/, "Math.max"],
  [/\bMath\.max\b/, "Math.min"],
  [/\breturn true;/, "return false;"],
  [/\breturn false;/, "return true;"],
  [/\bif \(([^()]|\([^()]*\))+\) (return|continue|break|throw)\b.*;$/, ";"],
  [/^(this\.#?|await )?[\w.#]+\([^{]*\);$/, ";"],
];

/** Returns `count` faults in these files, at most one per file. The same seed returns the same faults. */
export function pickFaults(
  root: string,
  files: readonly string[],
  { seed, count }: { readonly seed: number; readonly count: number },
): Fault[] {
  const random = mulberry32(seed);
  const faults: Fault[] = [];
  for (const file of shuffled(files, random)) {
    if (faults.length === count) break;
    const possible = faultsOf(file, readFileSync(join(root, file), "utf8"));
    const fault = possible[Math.floor(random() * possible.length)];
    if (fault !== undefined) faults.push(fault);
  }
  return faults;
}

function faultsOf(file: string, text: string): Fault[] {
  const lines = text.split("\n").map((line) => line.trim());
  const once = lines.filter((line) => lines.indexOf(line) === lines.lastIndexOf(line));
  return once.flatMap((line) => {
    if (/^(\/\/|\/?\*|import\b|export (type|interface)\b|throw\b)|=>$/.test(line)) return [];
    return CHANGES.filter(([pattern]) => pattern.test(line)).map(([pattern, becomes]) => ({
      file,
      line,
      becomes: line.replace(pattern, becomes),
    }));
  });
}

function shuffled<T>(items: readonly T[], random: () => number): T[] {
  return items
    .map((item) => [random(), item] as const)
    .sort(([a], [b]) => a - b)
    .map(([, item]) => item);
}

/** Returns a small generator of random numbers between 0 and 1. */
function mulberry32(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
