import type { Diagnostic } from "../../errors.ts";
import { unescapeText } from "../package/xml.ts";
import { tagProblem } from "./diagnostics.ts";
import { descendants, type ElementNode, type TagNode } from "./nodes.ts";

/** Kinds of fields whose instructions a value may be put into: they show something, and reach nothing. */
const HARMLESS = new Set([
  "=",
  "ADVANCE",
  "ASK",
  "COMMENTS",
  "COMPARE",
  "CREATEDATE",
  "DATE",
  "DOCPROPERTY",
  "DOCVARIABLE",
  "FILLIN",
  "FORMTEXT",
  "HYPERLINK",
  "IF",
  "KEYWORDS",
  "MERGEFIELD",
  "PAGEREF",
  "PRINTDATE",
  "QUOTE",
  "REF",
  "SAVEDATE",
  "SEQ",
  "SET",
  "STYLEREF",
  "SUBJECT",
  "SYMBOL",
  "TC",
  "TIME",
  "TITLE",
  "XE",
]);

/** What the instruction of a field is called while a part is lexed, so that no tag is looked for in it. */
export const HELD_INSTRUCTION = "w:heldInstruction";

const FIELD_PIECES =
  /<w:fldChar [^>]*?w:fldCharType="(begin|end)"[^>]*>|<w:instrText((?: [^>]*)?)>([^<]*)<\/w:instrText>/g;

/**
 * Hides the instructions of fields that take no tags: those of citation managers are full of braces.
 * The part is canonical XML.
 */
export function holdInstructions(xml: string): string {
  if (!xml.includes("<w:instrText")) return xml;
  const open: string[] = [];
  return xml.replace(FIELD_PIECES, (all, mark?: string, attributes = "", text = "") => {
    if (mark === "begin") open.push("");
    if (mark === "end") open.pop();
    if (mark !== undefined) return all;
    const before = shortened((open.pop() ?? "") + unescapeText(text));
    open.push(before);
    const keyword = keywordOf(before);
    return keyword === "" || HARMLESS.has(keyword)
      ? all
      : `<${HELD_INSTRUCTION}${attributes}>${text}</${HELD_INSTRUCTION}>`;
  });
}

/** The word that says what a field does; empty when none stands there yet. */
function keywordOf(instruction: string): string {
  return /^\s*(=|[a-z]+(?=[\s"]))/i.exec(instruction)?.[1]?.toUpperCase() ?? "";
}

/**
 * Settles what tags in the instructions of fields may print, and refuses those in fields where a value
 * could make Word read or run something: a value must never decide what a field does.
 */
export function checkFields(root: ElementNode): Diagnostic[] {
  const problems: Diagnostic[] = [];
  /** The instructions so far of the fields that are open; a tag in them is a zero character. */
  const open: string[] = [];
  for (const node of descendants(root)) {
    if (node.kind === "element") {
      followField(node, open);
      checkSimpleField(node, problems);
    } else if (node.kind !== "marker" && node.parent?.name === "w:instrText") {
      const before = open.pop() ?? "";
      if (node.kind === "tag") checkTag(node, before, problems);
      open.push(shortened(before + (node.kind === "text" ? unescapeText(node.xml) : "\u0000")));
    }
  }
  return problems;
}

/** What a tag in a HYPERLINK field is for: its address, a part of that, or the argument of a switch. */
function addressRole(before: string): "address" | "addressPart" | "instruction" {
  const quotes = before.split('"');
  const open = quotes.length % 2 === 0;
  const argument = open ? (quotes.at(-1) ?? "") : (/\S*$/.exec(before)?.[0] ?? "");
  const ahead = before
    .slice(0, before.length - argument.length)
    .replace(/"$/, "")
    .trimEnd();
  if (/\\[a-z]$/i.test(ahead)) return "instruction";
  return argument.trim() === "" ? "address" : "addressPart";
}

/** An instruction without its middle: its beginning says what it does, its end what a tag is for. */
function shortened(instruction: string): string {
  return instruction.length <= 200
    ? instruction
    : `${instruction.slice(0, 100)}\u0000${instruction.slice(-50)}`;
}

function followField({ name, attributes }: ElementNode, open: string[]): void {
  if (name !== "w:fldChar") return;
  if (attributes.includes('w:fldCharType="begin"')) open.push("");
  if (attributes.includes('w:fldCharType="end"')) open.pop();
}

function checkSimpleField({ tagged }: ElementNode, problems: Diagnostic[]): void {
  let before = "";
  for (const piece of tagged?.get("w:instr") ?? []) {
    if (typeof piece === "string") before += piece;
    else {
      checkTag(piece, before, problems);
      before += "\u0000";
    }
  }
}

function checkTag(tag: TagNode, before: string, problems: Diagnostic[]): void {
  const keyword = keywordOf(before);
  tag.fieldRole = keyword === "HYPERLINK" ? addressRole(before) : "instruction";
  if (HARMLESS.has(keyword)) return;
  problems.push(
    tagProblem(
      tag,
      "tag_in_field",
      `${tag.text} stands in a field of Word whose instruction no value may change.`,
      "Put the tag into the text instead of the field.",
    ),
  );
}
