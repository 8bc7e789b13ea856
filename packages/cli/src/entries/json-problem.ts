/** The first mistake in a text that is not valid JSON. */
export interface JsonProblem {
  /** The index of the mistake in the text. */
  readonly at: number;
  /** The mistake and its fix, as sentences. Quotes structure, but no data. */
  readonly why: string;
}

/**
 * Describes the first mistake in invalid JSON, as text to follow the words "is not valid JSON": ` (line 3, column 2).
 * Why.` Does not quote data.
 */
export function jsonMistake(text: string): string {
  const other = otherFormat(text);
  if (other !== null) return `. ${other}`;
  const { at, why } = jsonProblem(text);
  const before = text.slice(0, at).split("\n");
  const line = text.trimEnd().includes("\n") ? `line ${before.length}, ` : "";
  return ` (${line}column ${(before.at(-1)?.length ?? 0) + 1}). ${why}`;
}

/** The tokens that may follow. */
type Expected = "value" | "value or ]" | "name" | "name or }" | ":" | ", or ]" | ", or }" | "end";

const WORDS: Readonly<Record<Expected, string>> = {
  value: "a value",
  "value or ]": "a value or ']'",
  name: "a name in double quotes",
  "name or }": "a name in double quotes or '}'",
  ":": "':' after the name",
  ", or ]": "',' or ']'",
  ", or }": "',' or '}'",
  end: "the end of the file",
};

const SPACE = /[ \t\n\r]*/y;
const LITERAL = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.+-])/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y;

/** Finds the first mistake in a text that JSON.parse rejects. */
function jsonProblem(text: string): JsonProblem {
  const reader = new Reader(text);
  while (reader.step());
  if (reader.at < text.length) {
    return { at: reader.at, why: whyAt(text, reader.at, reader.expected) };
  }
  const missing = reader.open.toReversed().map((each) => `'${each}'`);
  const are = missing.length === 1 ? "is" : "are";
  const add = missing.length === 0 ? "" : `: ${missing.join(" and ")} ${are} missing`;
  return { at: reader.at, why: `It ends too early${add}.` };
}

/** Reads JSON token by token, up to the first mistake. */
class Reader {
  readonly #text: string;
  at = 0;
  expected: Expected = "value";
  /** The closing brackets of all open lists and objects. */
  readonly open: ("]" | "}")[] = [];

  constructor(text: string) {
    this.#text = text;
  }

  /** Reads a token. Returns false at a mistake and at the end. */
  step(): boolean {
    this.#skip(SPACE);
    const next = this.#text[this.at];
    if (next === undefined) return false;
    const isToken = this.#bracket(next) || this.#separator(next) || this.#scalar(next);
    return isToken;
  }

  #bracket(next: string): boolean {
    if (next === this.open.at(-1) && this.expected.endsWith(next)) {
      this.open.pop();
      return this.#take(this.#afterValue());
    }
    if (!this.expected.startsWith("value") || !/[[{]/.test(next)) return false;
    this.open.push(next === "[" ? "]" : "}");
    return this.#take(next === "[" ? "value or ]" : "name or }");
  }

  #separator(next: string): boolean {
    if (next === "," && this.expected.startsWith(",")) {
      return this.#take(this.open.at(-1) === "]" ? "value" : "name");
    }
    return next === ":" && this.expected === ":" && this.#take("value");
  }

  #scalar(next: string): boolean {
    const isName = this.expected.startsWith("name");
    if (!isName && !this.expected.startsWith("value")) return false;
    if (next === '"') {
      const end = endOfString(this.#text, this.at);
      if (this.#text[end] !== '"') return false;
      this.at = end;
      return this.#take(isName ? ":" : this.#afterValue());
    }
    if (isName || !this.#skip(LITERAL)) return false;
    this.expected = this.#afterValue();
    return true;
  }

  #take(expected: Expected): true {
    this.at += 1;
    this.expected = expected;
    return true;
  }

  #skip(pattern: RegExp): boolean {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.#text);
    this.at += found?.[0].length ?? 0;
    return found !== null;
  }

  #afterValue(): Expected {
    const end = this.open.at(-1);
    if (end === undefined) return "end";
    return end === "]" ? ", or ]" : ", or }";
  }
}

/** Returns the index of a string's closing quote, or of the first character before it that a string may not contain. */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"' && text.charCodeAt(at) >= 0x20) {
    ESCAPE.lastIndex = at;
    const length = text[at] === "\\" ? (ESCAPE.exec(text)?.[0].length ?? 0) : 1;
    if (length === 0) break;
    at += length;
  }
  return at;
}

/** Describes the mistake at an index, as sentences. Tries the common mistakes first, in a fixed order. */
function whyAt(text: string, at: number, expected: Expected): string {
  const rest = text.slice(at, at + 2_000);
  const before = text.slice(0, at).trimEnd().at(-1) ?? "";
  const is = (pattern: RegExp): boolean => pattern.test(rest);
  const wanted = WORDS[expected];
  if (is(/^(?:\/\/|\/\*|#)/)) return "JSON has no comments. Remove the comment.";
  if (before === "," && is(/^[\]}]/)) {
    return `There is a comma before '${rest[0]}'. Remove the comma.`;
  }
  if (is(/^['‘’`]/)) return "Put names and texts in double quotes, not in single quotes.";
  if (is(/^[“”„«»]/)) return 'Typographic quotes are not allowed. Type straight double quotes (").';
  if (is(/^"/) && !expected.startsWith(",") && expected !== ":" && expected !== "end") {
    return badString(rest);
  }
  if (expected === "end") {
    return "More text follows after the end of the data. Put several entries into one list, [ … ], or use the extension .jsonl for one entry per line.";
  }
  if (expected.startsWith("name") && is(/^[\p{L}_$]/u)) return "Put the name in double quotes.";
  if (expected.startsWith("value")) return badValue(rest, wanted);
  if (expected.startsWith(",") && is(/^["[{\p{L}\d-]/u)) {
    return `A comma is missing before it, or a quote in the text before it has no backslash (\\").`;
  }
  return `Expected ${wanted}.`;
}

function badString(rest: string): string {
  const next = rest[endOfString(rest, 0)];
  if (next === "\\") {
    return "The text has a backslash that begins no known sequence. Write two backslashes, as in C:\\\\folder.";
  }
  if (next === "\n" || next === "\r") {
    return "The text has no closing quote on its line. Add the quote; write a line break as \\n.";
  }
  if (next === "\t") return "The text has a tab. Write it as \\t.";
  return next === undefined
    ? "The text has no closing quote."
    : "The text has a control character.";
}

function badValue(rest: string, wanted: string): string {
  if (/^(?:True|False|None|NULL|TRUE|FALSE|Null|nil|undefined|NaN|-?Infinity)\b/.test(rest)) {
    return "Write true, false or null, in lowercase letters.";
  }
  if (/^[-+.\d]/.test(rest)) {
    return "The number is not valid. Write digits with a point before the decimals, such as 1234.5, or put it in double quotes.";
  }
  if (/^[\p{L}_]/u.test(rest)) return "Put the text in double quotes.";
  return `Expected ${wanted}.`;
}

/** Returns the other format that a text probably has, as a sentence; null if it looks like JSON. */
function otherFormat(text: string): string | null {
  const start = text.trimStart().slice(0, 2_000);
  if (start === "") return 'It is empty. Write the data into it, for example {"name": "Ann"}.';
  if (/^[[{"]/.test(start)) return null;
  const other = (name: string): string =>
    `It looks like ${name}. Data files are .json, .jsonl, .csv and .xlsx: convert it to one of these.`;
  if (start.startsWith("PK"))
    return "It looks like an Excel or Word file. Give it the extension .xlsx or .docx.";
  if (start.startsWith("<")) return other("XML or HTML");
  if (/^(?:---|- |[\w "'-]+:(?:\s|$))/.test(start)) return other("YAML");
  if (/^\[[\w. -]+\]$|^[\w-]+ *= */m.test(start)) return other("TOML or an INI file");
  const [first = ""] = start.split(/\r?\n/);
  return /[,;\t]/.test(first)
    ? "It looks like CSV. Give it the extension .csv, and use it with quire run or quire check."
    : null;
}
