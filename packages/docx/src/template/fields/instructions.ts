/** A word in the instruction of a field, as XML. */
export interface Word {
  /** The word without its quotes. */
  readonly text: string;
  /** The range of the text in the instruction. */
  readonly from: number;
  readonly to: number;
  readonly quoted: boolean;
}

/** The parsed instruction of a Word field. */
export interface Instruction {
  /** The keyword in uppercase; `=` for a formula, empty for an empty instruction. */
  readonly keyword: string;
  /** The keyword as written; null for an empty instruction. */
  readonly first: Word | null;
  /** The words after the keyword, without switches and their arguments. */
  readonly words: readonly Word[];
  /** The switches as written, without the backslash. `argument` is null for a switch that takes no argument. */
  readonly switches: readonly { readonly name: string; readonly argument: Word | null }[];
}

/** Matches quoted text, a switch or a word. */
const TOKEN = /("|&quot;)(.*?)(?:"|&quot;|$)|\\([^\s"]?)|(?:(?!&quot;)[^\s"\\])+/gs;

/** Switches that take an argument, and that all fields support. */
const GENERAL = "*#@";

/**
 * Other switches that take an argument, by the keyword of the field. Only fields whose arguments are needed are listed.
 */
const WITH_ARGUMENT: Readonly<Record<string, string>> = {
  HYPERLINK: "lot",
  REF: "d",
  SEQ: "rs",
};

/** Parses an instruction, which is XML: the value of an attribute, or text. */
export function readInstruction(xml: string): Instruction {
  const start = xml.length - xml.trimStart().length;
  if (xml[start] === "=") {
    const first = { text: "=", from: start, to: start + 1, quoted: false };
    return { keyword: "=", first, words: [], switches: [] };
  }
  let first: Word | null = null;
  let keyword = "";
  let open: { name: string; argument: Word | null } | null = null;
  const words: Word[] = [];
  const switches: { name: string; argument: Word | null }[] = [];
  for (const found of xml.matchAll(TOKEN)) {
    const [all, quote, quoted = "", name] = found;
    if (name !== undefined) {
      open = { name, argument: null };
      switches.push(open);
      if (!`${GENERAL}${WITH_ARGUMENT[keyword] ?? ""}`.includes(name.toLowerCase())) open = null;
      continue;
    }
    const from = found.index + (quote?.length ?? 0);
    const text = quote === undefined ? all : quoted;
    const word = { text, from, to: from + text.length, quoted: quote !== undefined };
    if (first === null) {
      first = word;
      keyword = text.toUpperCase();
    } else if (open !== null) open.argument = word;
    else words.push(word);
    open = null;
  }
  return { keyword, first, words, switches };
}

/**
 * The keywords of fields (ECMA-376 part 1, 17.16.5), including older ones. Word reads any other word as the name of a
 * bookmark.
 */
const KEYWORDS = new Set(
  `= ADDIN ADDRESSBLOCK ADVANCE ASK AUTHOR AUTONUM AUTONUMLGL AUTONUMOUT AUTOTEXT AUTOTEXTLIST BARCODE
  BIBLIOGRAPHY BIDIOUTLINE CITATION COMMENTS COMPARE CONTROL CREATEDATE DATA DATABASE DATE DDE DDEAUTO
  DISPLAYBARCODE DOCPROPERTY DOCVARIABLE EDITTIME EMBED EQ FILENAME FILESIZE FILLIN FORMCHECKBOX FORMDROPDOWN
  FORMTEXT FTNREF GLOSSARY GOTOBUTTON GREETINGLINE HTMLACTIVEX HYPERLINK IF IMPORT INCLUDE INCLUDEPICTURE
  INCLUDETEXT INDEX INFO KEYWORDS LASTSAVEDBY LINK LISTNUM MACROBUTTON MERGEBARCODE MERGEFIELD MERGEREC MERGESEQ
  NEXT NEXTIF NOTEREF NUMCHARS NUMPAGES NUMWORDS OCX PAGE PAGEREF PRINT PRINTDATE PRIVATE QUOTE RD REF REVNUM
  SAVEDATE SECTION SECTIONPAGES SEQ SET SHAPE SKIPIF STYLEREF SUBJECT SUBSCRIBER SYMBOL TA TC TEMPLATE TIME
  TITLE TOA TOC USERADDRESS USERINITIALS USERNAME XE`.split(/\s+/),
);

/** Whether a word, in uppercase, is the keyword of a field. */
export function isKeyword(word: string): boolean {
  return KEYWORDS.has(word);
}

/** Whether the keyword belongs to a table of contents or another index. Its result depends on the whole document. */
export function isIndexKeyword(keyword: string): boolean {
  return INDEXES.has(keyword);
}

const INDEXES = new Set(["TOC", "INDEX", "TOA", "BIBLIOGRAPHY"]);
