import { nearest } from "@quire/contracts";

/** The words that begin a tag that does not print a value. */
export const KEYWORDS: readonly string[] = [
  "for",
  "tablerow",
  "tablecolumn",
  "if",
  "elseif",
  "else",
  "endif",
  "endfor",
  "endtablerow",
  "endtablecolumn",
  "include",
];

/** Keywords that are the whole tag. */
export const LONE_KEYWORDS: readonly string[] = [
  "else",
  "endif",
  "endfor",
  "endtablerow",
  "endtablecolumn",
];

/** Words of other template languages, with their equivalents. */
const SYNONYMS: ReadonlyMap<string, string> = new Map([
  ["foreach", "for"],
  ["each", "for"],
  ["loop", "for"],
  ["repeat", "for"],
  ["endforeach", "endfor"],
  ["endeach", "endfor"],
  ["endloop", "endfor"],
  ["endrepeat", "endfor"],
  ["endrow", "endtablerow"],
  ["endcolumn", "endtablecolumn"],
  ["next", "endfor"],
  ["fi", "endif"],
  ["endunless", "endif"],
  ["elif", "elseif"],
  ["elsif", "elseif"],
  ["elseif", "elseif"],
  ["otherwise", "else"],
  ["unless", "if not"],
  ["ifnot", "if not"],
]);

/** Misspellings and synonyms of `else` that are certainly not keys of any data. */
const ELSE_SLIPS = new Set(["otherwise", "esle", "eles", "lese", "els", "elese", "elsee", "ellse"]);

/** Returns the keyword that was probably meant by the first word of a tag; null if none is similar. */
export function keywordNear(word: string): string | null {
  const small = word.toLowerCase();
  // `tablecol` is as near to `tablerow` as to `tablecolumn`.
  const begun = small.length > 6 ? KEYWORDS.find((each) => each.startsWith(small)) : undefined;
  return SYNONYMS.get(small) ?? begun ?? nearest(small, KEYWORDS);
}

/** The block that an invalid tag probably opens, judging by its first word. */
export interface MeantOpener {
  readonly kind: "for" | "tablerow" | "tablecolumn" | "if" | "elseif";
  /** Whether the word is only similar to a keyword, so that the tag is possibly not a block at all. */
  readonly loose: boolean;
}

const OPENERS = ["for", "tablerow", "tablecolumn", "if", "elseif"] as const;

/** Returns the block or branch that a tag with this first word, followed by more text, was meant to begin. */
export function openerMeant(word: string): MeantOpener | null {
  const small = word.toLowerCase();
  const known = SYNONYMS.get(small)?.split(" ")[0] ?? small;
  const exact = OPENERS.find((each) => each === known);
  if (exact !== undefined) return { kind: exact, loose: false };
  const near = OPENERS.find((each) => isOneSlip(small, each));
  return near === undefined ? null : { kind: near, loose: true };
}

/** Returns the branch of an `if` that a single word was certainly meant to begin; null for ordinary keys. */
export function branchMeant(word: string): "else" | "elseif" | null {
  const small = word.toLowerCase();
  if (ELSE_SLIPS.has(small)) return "else";
  return SYNONYMS.get(small) === "elseif" ? "elseif" : null;
}

/** The end of a block that a single word in a tag may mean. */
export interface MeantEnd {
  /** The keyword; null for a word that ends any open block. */
  readonly keyword: string | null;
  /** Whether it is also an ordinary word, such as 'next', and so possibly a key of the data. */
  readonly ordinary: boolean;
}

const ENDS = LONE_KEYWORDS.filter((keyword) => keyword.startsWith("end"));
const ORDINARY_ENDS = new Set(["next", "end", "done", "fi"]);

/** Returns the end of a block that a word may mean; null if none is similar. */
export function endMeant(word: string): MeantEnd | null {
  const small = word.toLowerCase().replaceAll("_", "");
  const ordinary = ORDINARY_ENDS.has(small);
  if (small === "end" || small === "done") return { keyword: null, ordinary };
  const known = SYNONYMS.get(small) ?? small;
  const keyword =
    ENDS.find((each) => each === known) ?? ENDS.find((each) => isOneSlip(small, each));
  return keyword === undefined ? null : { keyword, ordinary };
}

/**
 * Returns the keyword that `end` and a second word mean, as in `{{end for}}` and `{{end-each}}`; null if they do not
 * end a block.
 */
export function endOfTwoWords(second: string): string | null {
  const known = SYNONYMS.get(`end${second.toLowerCase()}`);
  if (known !== undefined) return known;
  const opener = openerMeant(second);
  return opener === null || opener.loose ? null : `end${opener.kind}`;
}

/** Returns the keyword that two words form when joined, as in `{{el se}}`; null if they do not form one. */
export function joinedKeyword(first: string, second: string): string | null {
  const small = first.toLowerCase();
  // These words have another meaning before a second word.
  if (second === "" || small === "end" || KEYWORDS.includes(small)) return null;
  const joined = small + second.toLowerCase();
  return KEYWORDS.includes(joined) ? joined : null;
}

/**
 * Returns the name in a tag that was meant to close a block but has a wrong or misplaced slash; null for other tags.
 */
export function closedWrongly(content: string): string | null {
  const [, behind, before] =
    /^(?:[#^]\s*[\\/]|\\)\s*([\p{L}_][^\\/]*)$|^([\p{L}_][\p{L}\p{M}\p{N}_.]*)[\\/]$/u.exec(
      content,
    ) ?? [];
  return (behind ?? before)?.trim() ?? null;
}

/** Whether two words differ by one inserted, removed or changed letter, or by two swapped adjacent letters. */
function isOneSlip(word: string, other: string): boolean {
  if (word === other || Math.abs(word.length - other.length) > 1) return false;
  let start = 0;
  while (start < word.length && word[start] === other[start]) start += 1;
  let end = 0;
  const most = Math.min(word.length, other.length) - start;
  while (end < most && word.at(-1 - end) === other.at(-1 - end)) end += 1;
  const a = word.slice(start, word.length - end);
  const b = other.slice(start, other.length - end);
  if (a.length <= 1 && b.length <= 1) return true;
  return a.length === 2 && b.length === 2 && a[0] === b[1] && a[1] === b[0];
}
