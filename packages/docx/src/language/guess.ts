import { sectionName } from "./bare-names.ts";
import type { Directive, Guess } from "./directive.ts";
import { helperOf, loopOf } from "./foreign.ts";
import type { PathExpression } from "./grammar/expression.ts";
import { isValueNamed } from "./keyword-hints.ts";
import {
  closedWrongly,
  endMeant,
  endOfTwoWords,
  joinedKeyword,
  LONE_KEYWORDS,
  openerMeant,
} from "./keywords.ts";
import { isChoice } from "./mistakes/choices.ts";
import { tableLoop } from "./mistakes/elsewhere/table-loops.ts";
import { Written } from "./mistakes/written.ts";

/**
 * Returns the probable meaning of an invalid tag: enough to pair it with its end, so that one mistake is only reported
 * once. A template with such a tag is never rendered.
 */
export function guessDirective(content: string): Directive {
  const trimmed = content.trim();
  const closed = closedWrongly(trimmed);
  if (closed !== null) return guessEnd(closed);
  if (trimmed[0] === "#" || trimmed[0] === "^") return guessSection(trimmed);
  const block = guessAround(trimmed);
  if (block !== null) return block;
  const [words = "", first = "", next = ""] =
    /^([\p{L}_]+)(?:[\s-]+(\p{L}+))?/u.exec(trimmed) ?? [];
  const joined = joinedKeyword(first, next);
  const [word, second] = joined === null ? [first, next] : [joined, ""];
  const behind = trimmed.slice(joined === null ? word.length : words.length).trim();
  const small = word.toLowerCase();
  const guess = { word, loose: mayBeValue(word, behind, trimmed) };
  const lone = LONE_KEYWORDS.find((keyword) => keyword === small);
  if (lone === "else") {
    return second === "" ? { kind: lone, guess } : { kind: "elseif", condition: NOTHING, guess };
  }
  if (lone !== undefined) {
    return { kind: lone as "endfor", ...(lone === word && !guess.loose ? {} : { guess }) };
  }
  if (small === "end") {
    const end = endOfTwoWords(second);
    return end === null ? { kind: "note" } : { kind: end as "endfor", guess };
  }
  const end = openerMeant(word) === null ? (endMeant(word)?.keyword ?? null) : null;
  if (end !== null) return { kind: end as "endfor", guess: { word, loose: true } };
  return guessOpener(guess);
}

/** Guesses the meaning of a tag that names the element that it repeats; null for other tags. */
function guessAround(content: string): Directive | null {
  const element = /^-\s*[aw]:\w{1,20}\s+(\S[\s\S]*)$/.exec(content)?.[1];
  if (element !== undefined) return section(element, false, { word: element, loose: false });
  const table = tableLoop(new Written(content))?.split(" ", 1)[0];
  return table === undefined ? null : guessOpener({ word: table, loose: false });
}

function mayBeValue(word: string, behind: string, content: string): boolean {
  return isValueNamed(word, behind) || isChoice(content);
}

const NOTHING: PathExpression = { kind: "path", source: "this", head: null, rest: [] };

function guessOpener({ word, loose }: Guess): Directive {
  const meant = openerMeant(word);
  if (meant === null) return { kind: "note" };
  const known = meant.kind === word && !loose;
  const guess = known ? {} : { guess: { word, loose: loose || meant.loose } };
  if (meant.kind === "if" || meant.kind === "elseif") {
    return { kind: meant.kind, condition: NOTHING, ...guess };
  }
  return {
    kind: meant.kind,
    alias: "this",
    collection: NOTHING,
    shape: null,
    optional: true,
    ...guess,
  };
}

/** Returns the meaning of a tag that should end a block but has a wrong or misplaced slash. */
function guessEnd(source: string): Directive {
  const name = sectionName(source);
  const kind = LONE_KEYWORDS.find((keyword) => keyword === name);
  const guess = { word: name, loose: false };
  if (kind !== undefined) return { kind: kind as "endfor", guess };
  const opener = openerMeant(name);
  return opener?.loose === false
    ? { kind: `end${opener.kind}` as "endfor", guess }
    : { kind: "endsection", name: name === "" ? null : name, guess };
}

/** Guesses the meaning of a section, or of a helper of another language that looks like one. */
function guessSection(content: string): Directive {
  if (/^#include\s*["']|^#[^#\s]+#$/.test(content)) return { kind: "note" };
  const inverted = content[0] === "^";
  const source = content.slice(1);
  const helper = helperOf(source);
  const guess = { word: helper?.word ?? "", loose: false };
  // Handlebars' alternative form of {{else}}.
  if (inverted && source.trim() === "") return { kind: "else", guess };
  switch (helper?.meaning) {
    case "if":
    case "unless":
      return { kind: "if", condition: NOTHING, guess };
    case "for":
      return {
        kind: "for",
        alias: "this",
        collection: NOTHING,
        shape: null,
        optional: true,
        guess,
      };
    case "with":
      return section(source, inverted, guess);
    default:
      return section(source, inverted, loopOf(source) === null ? undefined : guess);
  }
}

/** Maximum number of names to look for in an invalid tag. */
const MAX_NAMES = 16;

function section(source: string, inverted: boolean, guess: Guess | undefined): Directive {
  const words = source.matchAll(
    /[\p{L}_$][\p{L}\p{M}\p{N}_$]*(?:\.[\p{L}_$][\p{L}\p{M}\p{N}_$]*)*/gu,
  );
  const name = sectionName(source);
  const names = name === "" ? [] : [name, ...[...words].slice(0, MAX_NAMES).map(([word]) => word)];
  const meaning = { kind: "section", condition: NOTHING, inverted, name, names } as const;
  return { ...meaning, written: "", ...(guess === undefined ? {} : { guess }) };
}
