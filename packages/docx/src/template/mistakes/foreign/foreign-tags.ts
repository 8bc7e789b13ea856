import { meantByCommand, withoutDollars } from "../../../language/docx-templates.ts";

/** Programs with known forms of tags, with their names in messages. */
export const ENGINES = {
  braces: "docxtemplater or easy-template-x",
  commands: "docx-templates",
  carbone: "Carbone",
  statements: "docxtpl (python-docx-template)",
  dollars: "XDocReport, PHPWord, docx4j or docx-stamper",
  angles: "Aspose.Words, Nintex DocGen or Autocrat",
  squares: "poi-tl or docxtemplater",
  fields: "OpenTBS",
  scripts: "XDocReport",
  merges: "a Word mail merge",
  instructions: "Oracle BI Publisher",
} as const satisfies Readonly<Record<string, string>>;
export type Engine = keyof typeof ENGINES;

/** A piece of text in the form of another program's tags. */
export interface ForeignTag {
  readonly text: string;
  /** The offset of this text in the searched text. */
  readonly at: number;
  readonly engine: Engine;
  /** The content of the equivalent tag, or null. */
  readonly meant: string | null;
  /**
   * Whether a single tag of this form proves that the template is for that program. (Ordinary text may contain `<<some
   * words>>`.)
   */
  readonly isSure: boolean;
}

/** Matches escaped or plain text in which a foreign tag may begin. For quick checks. */
export const MAY_BE_FOREIGN = /\+\+\+|&lt;[&?]|<[<?]|\[[#/\p{L}[]|#(?:foreach|if|end)\b|«/u;

type Reading = Pick<ForeignTag, "meant" | "isSure">;

interface Spelling {
  readonly engine: Engine;
  /** The first group captures the content. */
  readonly pattern: RegExp;
  /** Returns null for ordinary text. */
  readonly read: (content: string) => Reading | null;
}

const SPELLINGS: readonly Spelling[] = [
  { engine: "commands", pattern: /\+\+\+(?!\+)(.{1,200}?)\+\+\+/gs, read: command },
  { engine: "angles", pattern: /(?<![<>])<<([^<>]{1,100})>>(?![<>])/g, read: angled },
  { engine: "instructions", pattern: /<\?((?:(?!\?>).){1,100})\?>/gs, read: instruction },
  { engine: "merges", pattern: /«([^«»{}]{1,100})»/g, read: quoted },
  { engine: "squares", pattern: /\[\[([^[\]]{1,100})\]\]/g, read: squared },
  { engine: "fields", pattern: /(?<!\[)\[([^[\]]{1,100})\](?!\])/g, read: field },
  { engine: "scripts", pattern: /(?<!\[)\[([#/][^[\]]{1,100})\](?!\])/g, read: freemarker },
  {
    engine: "scripts",
    pattern: /(#(?:foreach|if)\s?\(\s?\$[^()]{1,100}\)|#end\b)/g,
    read: velocity,
  },
];

/** Finds the tags of other programs in text, in order. Tags in braces are not included. */
export function foreignTags(text: string): ForeignTag[] {
  if (!MAY_BE_FOREIGN.test(text)) return [];
  const found: ForeignTag[] = [];
  for (const { engine, pattern, read } of SPELLINGS) {
    for (const { 0: whole, 1: content = "", index } of text.matchAll(pattern)) {
      const reading = read(content);
      if (reading !== null) found.push({ text: whole, at: index, engine, ...reading });
    }
  }
  return found.toSorted((a, b) => a.at - b.at);
}

const PATH = /^\p{L}[\p{L}\p{M}\p{N}_]*(?:\.[\p{L}\p{M}\p{N}_]+)*$/u;

/**
 * Matches a word that is a name in a program rather than a word of a language: `First_Name`, `firstName`, `Address1`,
 * `a.b`.
 */
const TECHNICAL = /[_.\p{N}]|\p{Ll}\p{Lu}/u;

/** Matches a few words that an author may use to name a value. */
const WORDS = /^\p{L}[\p{L}\p{M}\p{N}_]*(?:[ _-][\p{L}\p{M}\p{N}_]+){1,3}$/u;

function command(content: string): Reading | null {
  const body = content.trim();
  const meant = meantByCommand(body);
  if (meant !== undefined) return { meant, isSure: true };
  const path = withoutDollars(body);
  if (!PATH.test(path)) return null;
  // Some news items use such signs: +++ Breaking +++.
  const isName = body !== path || TECHNICAL.test(path) || content === body;
  return isName ? { meant: path, isSure: true } : null;
}

/** Words that UML and other notations write between `<<` and `>>`. */
const STEREOTYPES = new Set(
  "abstract access actor call component create datatype derive device entity enum enumeration eof event exception extend extends external import include includes interface merge node process service signal singleton stereotype subsystem system table trace type use uses utility view".split(
    " ",
  ),
);

function angled(content: string): Reading | null {
  if (/^\/?(?:foreach|if)\b|^\[[^\]]+\]/.test(content)) return { meant: null, isSure: true };
  if (PATH.test(content)) {
    if (content.length < 3 || STEREOTYPES.has(content.toLowerCase())) return null;
    return { meant: content, isSure: true };
  }
  return WORDS.test(content) ? { meant: null, isSure: false } : null;
}

/** Reads tags of BI Publisher. Code in a document may have `<?php … ?>` and `<?xml … ?>`. */
function instruction(content: string): Reading | null {
  const body = content.trim();
  if (/^(?:php|xml)\b/i.test(body)) return null;
  const dotted = dottedSteps(body);
  if (PATH.test(dotted) && dotted !== "choose") return { meant: dotted, isSure: true };
  const [, keyword = "", list = ""] =
    /^(for-each|if|when)(?:-group)?(?:@\w+)?:(.+)$/s.exec(body) ?? [];
  if (keyword === "for-each") {
    return { meant: PATH.test(list) ? `for item in ${list}` : null, isSure: true };
  }
  if (keyword !== "") return { meant: conditionMeant(list), isSure: true };
  const end = /^end (for-each|if|choose)(?:-group)?$/.exec(body)?.[1];
  if (end !== undefined) return { meant: end === "for-each" ? "endfor" : "endif", isSure: true };
  if (/^otherwise:?$/.test(body)) return { meant: "else", isSure: true };
  const isOther = /^(?:choose|when|otherwise|end|format-(?:number|date)|call-template)\b|^\w+\(/;
  return isOther.test(body) ? { meant: null, isSure: true } : null;
}

/** Returns the steps of an XPath, `order/items`, as a path. */
function dottedSteps(text: string): string {
  return text.trim().replace(/(?<=[\p{L}\p{N}_])\/(?=\p{L})/gu, ".");
}

/** Returns the tag for `if:order/total>100` and `when:sex='f'`; null for other conditions. */
function conditionMeant(condition: string): string | null {
  const [, path, sign, value = ""] =
    /^([\p{L}\p{N}_.]+)(?:\s*(!?=|[<>]=?)\s*([\d.]+|'[^'"]*'|"[^'"]*"))?$/u.exec(
      dottedSteps(condition),
    ) ?? [];
  if (path === undefined) return null;
  if (sign === undefined) return `if ${path}`;
  const operator = sign === "=" ? "==" : sign;
  return `if ${path} ${operator} ${value.replace(/'/g, '"')}`;
}

/**
 * Reads tags in the form in which Word shows mail-merge fields, which XDocReport also uses. In languages with
 * guillemets as quotes, guillemets may also enclose names of firms, such as «СтройСервис», and ratings, such as «Саа1»
 * and «Ba3.ru».
 */
function quoted(content: string): Reading | null {
  const name = content.replace(/^\$!?/, "");
  if (!PATH.test(name)) return null;
  if (/^(?:AddressBlock|GreetingLine)$/.test(name)) return { meant: null, isSure: true };
  if (name !== content || name.includes("_")) return { meant: name, isSure: true };
  if (!TECHNICAL.test(name) || !/^[\p{Script=Latin}\p{N}.]+$/u.test(name)) return null;
  if (/^\p{Ll}|^\p{L}+\p{N}+$/u.test(name)) return { meant: name, isSure: true };
  return /\p{N}/u.test(name) ? null : { meant: name, isSure: false };
}

function squared(content: string): Reading | null {
  const [, sign = "", name = ""] = /^([#/^%@]?)(.+)$/.exec(content) ?? [];
  if (!PATH.test(name) || name.length < 2) return null;
  const meant = /[%@]/.test(sign) ? name : `${sign}${name}`;
  return { meant, isSure: sign !== "" || TECHNICAL.test(name) };
}

function field(content: string): Reading | null {
  const [, name = ""] = /^(?:onshow|onload|var)\.([\p{L}_.]+)(?:;.*)?$/u.exec(content) ?? [];
  if (name !== "") return { meant: name, isSure: true };
  const isBlock = /^\p{L}[\p{L}\p{N}_]*(?:\.[\p{L}\p{N}_#]+)*;.*\bblock=/u.test(content);
  return isBlock ? { meant: null, isSure: true } : null;
}

function freemarker(content: string): Reading | null {
  const [, list = "", item = ""] =
    /^#list\s+([\p{L}\p{N}_.]+)\s+as\s+([\p{L}_]+)$/u.exec(content) ?? [];
  if (list !== "") return { meant: `for ${item} in ${list}`, isSure: true };
  const end = /^\/#(list|if)$/.exec(content)?.[1];
  if (end !== undefined) return { meant: end === "if" ? "endif" : "endfor", isSure: true };
  return /^#(?:if\s|else\b|elseif\s)/.test(content) ? { meant: null, isSure: true } : null;
}

function velocity(content: string): Reading | null {
  const [, item = "", list = ""] =
    /^#foreach\s?\(\s?\$([\p{L}_]+)\s+in\s+\$([\p{L}\p{N}_.]+)\s?\)$/u.exec(content) ?? [];
  return { meant: item === "" ? null : `for ${item} in ${list}`, isSure: content !== "#end" };
}
