import type { Diagnostic } from "@quire/contracts";
import { unescapeText } from "@quire/ooxml/internal/xml/escape";
import { TAG_LENGTH } from "../../language/delimiters/braces.ts";
import { DELIMITERS, type Delimiters } from "../../language/delimiters/delimiters.ts";
import { spell } from "../../language/delimiters/wording.ts";
import { holdOwnComments } from "../nodes/own-comments.ts";
import { ParagraphCounter } from "../nodes/paragraph-counter.ts";
import { textsOfParagraphs } from "../nodes/paragraph-texts.ts";
import { brokenTag } from "../tags/broken-tags.ts";
import { type BraceTag, BraceTags } from "./brace-tags.ts";
import { repeatedByCarbone } from "./foreign/carbone-tags.ts";
import { ENGINES, type Engine, foreignTags, MAY_BE_FOREIGN } from "./foreign/foreign-tags.ts";
import { hintForPageNumber } from "./near-tags.ts";

/** Number of characters of a paragraph that are quoted on each side. */
const SIDE_LENGTH = 40;

/** Text in a template without tags that looks like a tag. */
interface Found extends BraceTag {
  readonly part: string;
  /** The index of the part among all parts. */
  readonly rank: number;
  /** The text of the paragraph. */
  readonly around: string;
  /** The offset of the paragraph in the part. */
  readonly position: number;
}

/** Quickly checks whether a part's XML may contain text that looks like a tag. */
export function mayLookLikeTags(xml: string): boolean {
  const words = xml.replace(/<[^>]*>/g, "");
  return /[{}｛]/.test(words) || MAY_BE_FOREIGN.test(words) || xml.search(ALTERNATIVE_TEXT) !== -1;
}

/**
 * Returns a warning about the first text that looks like a tag in a template without tags. The warning names the
 * program that uses such tags. Braces of ordinary text, as in code, formulas and JSON, are not reported, unless braces
 * of tags outnumber them, or a block begins and ends. `texts`: the canonical XML of all parts that may contain tags.
 */
export function withoutTags(
  texts: ReadonlyMap<string, string>,
  delimiters: Delimiters,
): Diagnostic[] {
  const meant = meantIn(texts, delimiters);
  const [sighting] = meant.toSorted((a, b) => order(a.first, b.first));
  if (sighting === undefined) return [];
  const count = meant.reduce((sum, each) => sum + each.count, 0);
  return [warning(sighting, count, texts, delimiters)];
}

/** The possible tags of a template in one spelling. */
interface Sighting {
  readonly first: Found;
  count: number;
  /** Whether ordinary text is unlikely to contain such tags. */
  isMeant: boolean;
  readonly engines: Set<Engine | null>;
}

/** Returns the possible tags in each spelling that ordinary text is unlikely to use. */
function meantIn(texts: ReadonlyMap<string, string>, delimiters: Delimiters): Sighting[] {
  const braces = new BraceTags();
  const seen = new Map<Engine | "lost", Sighting>();
  let hasOpening = false;
  for (const [rank, [part, xml]] of [...texts].entries()) {
    const shown = [...textsOfParagraphs(shownText(xml), BEGINNINGS), ...alternativeTexts(xml)];
    for (const { text, position } of shown) {
      const around = unescapeText(text.slice(0, MAX_LENGTH));
      const where = { part, rank, around, position };
      hasOpening ||= around.includes(delimiters.start[0] ?? "") || around.includes("｛");
      for (const tag of braces.read(around)) note(seen, "braces", { ...tag, ...where }, false);
      for (const tag of foreignTags(around)) {
        note(seen, tag.engine, { ...tag, ...where }, tag.isSure);
      }
      for (const tag of withoutStart(around, delimiters)) {
        note(seen, "lost", { ...tag, ...where }, true);
      }
    }
  }
  if (!braces.areTags) seen.delete("braces");
  if (hasOpening) seen.delete("lost");
  return [...seen].flatMap(([key, each]) => (key === "braces" || each.isMeant ? [each] : []));
}

/** Number of characters to read of each paragraph. Authors do not write longer paragraphs. */
const MAX_LENGTH = 100_000;

function note(
  seen: Map<Engine | "lost", Sighting>,
  key: Engine | "lost",
  tag: Found,
  isSure: boolean,
): void {
  const known = seen.get(key);
  if (known === undefined) {
    seen.set(key, { first: tag, count: 1, isMeant: isSure, engines: new Set([tag.engine]) });
    return;
  }
  known.count += 1;
  known.isMeant ||= isSure || tag.text !== known.first.text;
  known.engines.add(tag.engine);
}

function order(a: Found, b: Found): number {
  return a.rank - b.rank || a.position - b.position || a.at - b.at;
}

/** In escaped text, the tags of all programs begin or end with one of these. */
const BEGINNINGS = ["{", "}", "｛", "«", "[", "+", "#", "&lt;"];

/**
 * Returns the part without mail-merge marks within fields, which are reported as fields, and without Quire's own
 * comments.
 */
function shownText(xml: string): string {
  let fields = 0;
  return holdOwnComments(xml).replace(FIELD_MARKS, (mark) => {
    if (mark.length === 1) return fields > 0 ? " " : mark;
    if (/Type="begin"|^<w:fldSimple.*[^/]>$/s.test(mark)) fields += 1;
    else if (/Type="end"|^<\//.test(mark)) fields = Math.max(fields - 1, 0);
    return mark;
  });
}

/** Finds text in attributes that may contain tags: descriptions of pictures and links, and the text of a watermark. */
function alternativeTexts(xml: string): { readonly text: string; readonly position: number }[] {
  return [...xml.matchAll(ALTERNATIVE_TEXT)].map(({ 1: text = "", index }) => ({
    text,
    position: index,
  }));
}

const ALTERNATIVE_TEXT =
  / (?:descr|title|alt|string|w:tooltip)="([^"]*(?:\{|\}\}|｛|\+\+\+|&lt;&lt;|\[\[|\[on|«)[^"]*)"/g;

const FIELD_MARKS =
  /<w:fldChar [^>]*>|<\/?w:fldSimple(?: [^>]*)?>|[«»]|\[(?=\/?#)|#(?=foreach|if|end)/g;

/** Finds tags without their start, such as `name}}`. */
function withoutStart(text: string, delimiters: Delimiters): BraceTag[] {
  const { end } = delimiters;
  const found: BraceTag[] = [];
  for (let to = text.indexOf(end); to !== -1; to = text.indexOf(end, to + end.length)) {
    const broken = brokenTag(text, { code: "unopened_tag", at: to }, delimiters);
    const name = /[#^/]?\p{L}[\p{L}\p{M}\p{N}_.]+$/u.exec(
      text.slice(Math.max(to - TAG_LENGTH, 0), to),
    );
    const from = broken?.at ?? to - (name?.[0].length ?? 0);
    // The delimiter may end text that begins with another kind of bracket.
    if (from === to || /[[(][^\])]*$/.test(text.slice(Math.max(from - TAG_LENGTH, 0), from)))
      continue;
    const written = text.slice(from, to);
    found.push({ text: written + end, at: from, engine: null, meant: written });
  }
  return found;
}

function warning(
  { first, engines }: Sighting,
  count: number,
  texts: ReadonlyMap<string, string>,
  delimiters: Delimiters,
): Diagnostic {
  const { part, text, at, around, position } = first;
  const paragraphs = new ParagraphCounter();
  paragraphs.follow(texts.get(part)?.slice(0, position) ?? "");
  const paragraph = paragraphs.innermost?.number;
  const from = Math.max(at - SIDE_LENGTH, 0);
  const to = Math.min(at + text.length + SIDE_LENGTH, around.length);
  const engine = engineOf(first, engines);
  const others = count - 1;
  return {
    severity: "warning",
    code: "looks_like_tag",
    message: `'${text}' looks like a tag${engine === null ? "" : ` of ${ENGINES[engine]}`}. The template has no tag that begins with '${delimiters.start}', so it is printed as it is${others === 0 ? "" : `, and so ${others === 1 ? "is 1 other" : `are ${others} others`}`}.`,
    hint: hintFor(first, engine, delimiters),
    template: {
      part,
      ...(paragraph === undefined ? {} : { paragraph }),
      tag: text,
      near: `${from > 0 ? "…" : ""}${around.slice(from, to)}${to < around.length ? "…" : ""}`,
    },
  };
}

/**
 * Returns the program of the first tag. If several programs use the same braces, returns the program whose commands
 * occur in the template.
 */
function engineOf({ engine }: Found, engines: ReadonlySet<Engine | null>): Engine | null {
  if (engine !== "braces") return engine;
  return (["commands", "carbone"] as const).find((each) => engines.has(each)) ?? "braces";
}

function hintFor({ meant, text }: Found, engine: Engine | null, delimiters: Delimiters): string {
  const { start, end } = delimiters;
  const repeated = repeatedByCarbone(text);
  if (repeated !== null) return spell(repeated, delimiters);
  const page = hintForPageNumber(text);
  if (page !== null) return page;
  const write =
    meant === null
      ? `begin each tag with ${start} and end it with ${end}`
      : `write ${start}${meant}${end}`;
  if (engine === "braces" && start === DELIMITERS.start) {
    return `Compile the template with the delimiters { and } ("auto"), or ${write}.`;
  }
  const sentence = `${write[0]?.toUpperCase()}${write.slice(1)}`;
  const isList = engine !== null && WITH_BLOCKS.has(engine);
  return isList
    ? `${sentence}${valuesIn(meant, engine, delimiters)}, and blocks as ${start}if condition${end} … ${start}endif${end} and ${start}for item in items${end} … ${start}endfor${end}.`
    : `${sentence}.`;
}

/** Values of BI Publisher have no name of the item before them. */
function valuesIn(meant: string | null, engine: Engine | null, { start, end }: Delimiters): string {
  const isLoop = engine === "instructions" && meant?.startsWith("for item in ") === true;
  return isLoop ? `, its values as in ${start}item.date${end}` : "";
}

/** Programs whose blocks have a different form from Quire's. */
const WITH_BLOCKS = new Set<Engine>([
  "commands",
  "carbone",
  "angles",
  "scripts",
  "fields",
  "instructions",
]);
