import { withoutGuids } from "../../language/delimiters/braces.ts";
import { directiveOf } from "../../language/directive.ts";
import { meantByCommand, withoutDollars } from "../../language/docx-templates.ts";
import { endMeant } from "../../language/keywords.ts";
import { readsAsTag } from "../nodes/scan.ts";
import type { Engine } from "./foreign/foreign-tags.ts";
import { fieldMeant, isByHand, isSpacedName, nearTags } from "./near-tags.ts";

/** Text in braces that looks like a tag, in a template without tags. */
export interface BraceTag {
  readonly text: string;
  /** The offset of this text in the searched text. */
  readonly at: number;
  /** The program that uses this form of tag; null for a Quire tag with a missing brace. */
  readonly engine: Engine | null;
  /** The content of the equivalent tag, or null. */
  readonly meant: string | null;
}

/** A piece of text in braces. */
interface Piece extends BraceTag {
  readonly content: string;
  readonly kind: Kind;
  /** Whether the piece is the argument of a LaTeX command. */
  readonly isLatex?: boolean;
}

/**
 * `sure`: never in ordinary text. `tag`: looks like a tag. `open` and `close`: the beginning or end of a block, which
 * is certain if both occur. `neutral`: no evidence. `own`: braces of ordinary text, as in formulas and code.
 */
type Kind = "sure" | "tag" | "open" | "close" | "neutral" | "own";

/**
 * Reads the braces of a template without tags, paragraph by paragraph, to decide whether they belong to another
 * program or to ordinary text.
 */
export class BraceTags {
  /** The number of braces that earlier paragraphs left open, as in code. */
  #open = 0;
  #own = 0;
  #likely = 0;
  #isSure = false;
  /** The names of blocks that have begun. */
  readonly #begun = new Set<string>();

  /** Whether more of the braces so far look like tags than belong to ordinary text. */
  get areTags(): boolean {
    return this.#isSure || this.#likely > this.#own;
  }

  /** Reads the next paragraph. Returns the pieces of its text that look like tags. */
  read(text: string): BraceTag[] {
    const found: BraceTag[] = [];
    const opened: number[] = [];
    let at = 0;
    for (const piece of piecesOf(text)) {
      this.#follow(text, at, piece.at, opened);
      at = piece.at + piece.text.length;
      if (this.#open + opened.length === 0 && this.#count(piece)) found.push(piece);
    }
    this.#follow(text, at, text.length, opened);
    // Code continues in the next paragraph. Otherwise, a brace is missing or is text.
    this.#own += opened.length;
    if (/\{\s*$/.test(text)) this.#open += opened.length;
    return found;
  }

  /** Counts the braces between pieces. `opened`: the positions of open braces. */
  #follow(text: string, from: number, to: number, opened: number[]): void {
    for (let at = from; at < to; at++) {
      if (text[at] === "{") opened.push(at);
      else if (text[at] === "}") {
        const isCode = opened.pop() === undefined && this.#open > 0;
        if (isCode) this.#open -= 1;
        else this.#own += 1;
      }
    }
  }

  /** Counts a piece that is not inside other braces. Returns whether it looks like a tag. */
  #count({ kind, content }: Piece): boolean {
    const name = content.replace(/^[#^/]?\s*|\s+$/g, "");
    switch (kind) {
      case "own":
        this.#own += 1;
        return false;
      case "neutral":
        return false;
      case "close": {
        const isBlock = content[0] === "/";
        const closes = isBlock && name !== "" ? this.#begun.has(name) : this.#begun.size > 0;
        this.#isSure ||= closes;
        return closes;
      }
      case "open":
        this.#begun.add(name);
        this.#likely += content[0] === "#" || content[0] === "^" ? 1 : 0;
        return true;
      default:
        this.#isSure ||= kind === "sure";
        this.#likely += 1;
        return true;
    }
  }
}

/** Returns the pieces of text in braces, in order. They do not overlap. */
function piecesOf(text: string): Piece[] {
  const near = nearTags(text).filter(({ text: [first = ""] }) => /[{｛$]/.test(first));
  const pieces: Piece[] = [];
  let from = 0;
  const others = (to: number): void => {
    for (const { 0: whole, index } of text.slice(from, to).matchAll(/\$?\{[^{}]*\}/g)) {
      pieces.push(pieceOf(whole, from + index, text, pieces.at(-1)));
    }
  };
  for (const each of near) {
    others(each.at);
    from = each.at + each.text.length;
    const isSingle = /^\$?\{[^{}]*\}$/.test(each.text);
    const piece = isSingle ? pieceOf(each.text, each.at, text, pieces.at(-1)) : SLIP;
    pieces.push({ ...piece, ...each, meant: piece.meant ?? each.meant });
  }
  others(text.length);
  return pieces;
}

function pieceOf(whole: string, at: number, text: string, last: Piece | undefined): Piece {
  const content = whole.slice(whole.indexOf("{") + 1, -1).trim();
  const before = text.slice(Math.max(at - 31, 0), at);
  const isBehindLatex = last?.isLatex === true && last.at + last.text.length === at;
  const place = { text: whole, at, content };
  // LaTeX: \frac{a}{b}, x_{n}. Addresses of services, such as /users/{id}, are neutral.
  if (/\\[a-z]{0,30}$|[_^]$/i.test(before) || isBehindLatex) {
    return { ...place, ...OWN, isLatex: true };
  }
  const reading = whole[0] === "$" ? dollar(content) : readContent(content);
  return { ...place, ...(/[/=]$/.test(before) && reading.kind === "tag" ? NEUTRAL : reading) };
}

/** Maximum number of characters between the braces of a tag. */
const CONTENT_LENGTH = 200;

type Reading = Pick<Piece, "engine" | "meant" | "kind">;

const OWN: Reading = { engine: null, meant: null, kind: "own" };
/** A Quire tag with a missing or separated brace. */
const SLIP = { engine: null, meant: null, kind: "tag", content: "" } as const;
const NEUTRAL: Reading = { engine: null, meant: null, kind: "neutral" };

const PATH = /^[%@&$=?]{0,2}(\p{L}[\p{L}\p{M}\p{N}_]*(?:\.[\p{L}\p{N}_][\p{L}\p{M}\p{N}_]*)*)$/u;

function dollar(content: string): Reading {
  const [, path = null] = PATH.exec(content.replace(/[#:].*$/s, "")) ?? [];
  return path === null && !/^[/@]?\p{L}/u.test(content)
    ? OWN
    : { engine: "dollars", meant: path, kind: "tag" };
}

/** Determines the meaning of single braces from their content. */
function readContent(content: string): Reading {
  if (content.length > CONTENT_LENGTH) return OWN;
  if (withoutGuids(`{${content}}`).trim() === "" || content === ".") return NEUTRAL;
  const [, sign = "", name = ""] = /^([#^/])\s*(.*)$/s.exec(content) ?? [];
  if (sign === "#" && /#$/.test(name)) return { engine: "statements", meant: null, kind: "sure" };
  if (sign !== "") return block(sign, name);
  if (/^%.*%$/s.test(content)) return { engine: "statements", meant: null, kind: "sure" };
  return wholeCommand(content) ?? value(content);
}

/** Reads the beginning or the end of a section: `#items`, `/ items`. */
function block(sign: string, name: string): Reading {
  const engine = "braces";
  const [, path = null] = PATH.exec(name) ?? [];
  const meant = path === null ? null : sign + path;
  const plain = name.replace(/\s*\[loopOver:.*\]$/s, "");
  const isName = path !== null || isSpacedName(plain) || readsAsTag(plain, true);
  if (sign === "/") return name === "" || isName ? { engine, meant, kind: "close" } : OWN;
  return isName ? { engine, meant, kind: "open" } : OWN;
}

/** Reads a tag that is more than the name of a value; null for all others. */
function wholeCommand(content: string): Reading | null {
  const field = fieldMeant(content);
  if (field !== undefined) return { engine: "merges", meant: field, kind: "sure" };
  if (/^[dc](?:\.|\[)[^\s,]*[[\]:(]/.test(content)) {
    return { engine: "carbone", meant: null, kind: "sure" };
  }
  if (/^-[aw]:\w{1,20}\s+\S/.test(content)) return { engine: "braces", meant: null, kind: "sure" };
  const meant = /^(?:IF|FOR|INS|EXEC|END-IF|END-FOR)(?!\w)/.test(content)
    ? meantByCommand(content)
    : undefined;
  if (meant !== undefined) {
    const kind = /^(?:IF|FOR)\s/.test(content) ? "open" : "sure";
    return { engine: "commands", meant, kind };
  }
  const [, end = ""] = /^(?:end[ -]?)(if|for|each|foreach|unless|loop)$/i.exec(content) ?? [];
  if (end !== "" || endMeant(content)?.ordinary === false) {
    return { engine: null, meant: null, kind: "close" };
  }
  const directive = directiveOf(content);
  const isBlock = directive !== null && /^(?:if|for|table)/.test(directive.kind);
  return isBlock ? { engine: null, meant: content, kind: "open" } : null;
}

function value(content: string): Reading {
  const [, path] = PATH.exec(content) ?? [];
  if (path !== undefined) {
    const isCarbone = /^[dc]\./.test(path);
    const meant = isCarbone ? path.slice(2) : withoutDollars(path);
    return { engine: isCarbone ? "carbone" : "braces", meant, kind: "tag" };
  }
  if (isSpacedName(content)) {
    if (isByHand(content)) return NEUTRAL;
    return { engine: "braces", meant: `["${content}"]`, kind: "tag" };
  }
  const isFilter = /^\p{L}[\p{L}\p{N}_.]*\s*\|\s*\p{L}+(?:\s*:.*)?$/u.test(content);
  const isExpression = isFilter || readsAsTag(content, true);
  return isExpression ? { engine: "braces", meant: null, kind: "tag" } : OWN;
}
