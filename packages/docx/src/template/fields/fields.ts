import type { Diagnostic } from "@quire/contracts";
import { unescapeText } from "@quire/ooxml/internal/xml/escape";
import type { Delimiters } from "../../language/delimiters/delimiters.ts";
import { directiveOf } from "../../language/directive.ts";
import { placeOf, tagProblem } from "../nodes/diagnostics.ts";
import {
  closest,
  descendants,
  type ElementNode,
  type Place,
  type TagNode,
} from "../nodes/nodes.ts";
import { scanTags } from "../nodes/scan.ts";

/** Kinds of fields whose instructions may contain values, because these fields only show something. */
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

/** Fields in which programs store data, such as citations in JSON. Braces in them are not tags. */
const HOLD_DATA = new Set(["ADDIN", "PRIVATE"]);

/** The name that replaces that of a field's instruction while a part is lexed, so that no tags are found in it. */
export const HELD_INSTRUCTION = "w:heldInstruction";

const FIELD_PIECES =
  /<w:fldChar [^>]*?w:fldCharType="(begin|end)"[^>]*>|<w:instrText((?: [^>]*)?)>([^<]*)<\/w:instrText>/g;

/**
 * Hides the instructions of fields that do not allow tags, because citation managers write many braces into them. The
 * part is canonical XML.
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

/** Returns the keyword of a field; empty if it is not known yet. */
function keywordOf(instruction: string): string {
  return /^\s*(=|[a-z]+(?=[\s"]))/i.exec(instruction)?.[1]?.toUpperCase() ?? "";
}

/**
 * Determines what tags in the instructions of fields may print. Rejects tags in fields where a value could make
 * Word read or run something: a value must never decide what a field does. Returns the problem of each tag.
 */
export function checkFields(root: ElementNode): Map<TagNode, Diagnostic> {
  const problems = new Map<TagNode, Diagnostic>();
  /** The instructions of the open fields, up to the current node. A null character represents a tag. */
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

/** Returns the role of a tag in a HYPERLINK field: its address, a part of the address, or the argument of a switch. */
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

/**
 * Returns an instruction without its middle: its beginning names the kind of field, and its end shows the role of a
 * tag.
 */
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

function checkSimpleField({ tagged }: ElementNode, problems: Map<TagNode, Diagnostic>): void {
  let before = "";
  for (const piece of tagged?.get("w:instr") ?? []) {
    if (typeof piece === "string") before += piece;
    else {
      checkTag(piece, before, problems);
      before += "\u0000";
    }
  }
}

function checkTag(tag: TagNode, before: string, problems: Map<TagNode, Diagnostic>): void {
  const keyword = keywordOf(before);
  tag.fieldRole = keyword === "HYPERLINK" ? addressRole(before) : "instruction";
  if (HARMLESS.has(keyword)) return;
  problems.set(tag, tagProblem(tag, "tag_in_field", inField(tag.text), INSTEAD));
}

const INSTEAD = "Put the tag into the text instead of the field.";

function inField(tag: string): string {
  return `${tag} is in a Word field, and values cannot change the instruction of this field.`;
}

/** The instruction of an open field. Its text is cleared when its tags have been reported. */
interface OpenInstruction {
  text: string;
  readonly paragraph: number;
}

/**
 * Reports the tags in instructions that {@link holdInstructions} hid from the lexer. `placeAt` returns the
 * place of a paragraph by its number.
 */
export function reportHeldTags(
  root: ElementNode,
  delimiters: Delimiters,
  placeAt: (paragraph: number) => Place,
): Diagnostic[] {
  const problems: Diagnostic[] = [];
  const open: OpenInstruction[] = [];
  const report = (field: OpenInstruction): void => {
    const place = placeOf(placeAt(field.paragraph));
    const near = shortened(field.text.trim()).replace("\u0000", "…");
    for (const tag of heldTags(field.text, delimiters)) {
      const problem = { severity: "error", code: "tag_in_field", message: inField(tag) } as const;
      problems.push({ ...problem, hint: INSTEAD, template: { ...place, tag, near } });
    }
    field.text = "";
  };
  for (const node of descendants(root)) {
    const last = open.at(-1);
    if (node.kind === "text" && node.parent?.name === "w:instrText" && last !== undefined) {
      last.text += unescapeText(node.xml);
    } else if (node.kind === "element" && node.name === "w:fldChar") {
      const type = / w:fldCharType="([^"]*)"/.exec(node.attributes)?.[1];
      if (type === "begin") {
        open.push({ text: "", paragraph: closest(node, "w:p")?.paragraph ?? 0 });
      } else if (last !== undefined) {
        report(last);
        if (type === "end") open.pop();
      }
    }
  }
  return problems;
}

/** Returns the tags of an instruction that does not allow any. */
function heldTags(instruction: string, delimiters: Delimiters): string[] {
  const keyword = keywordOf(instruction);
  if (keyword === "" || HARMLESS.has(keyword) || HOLD_DATA.has(keyword)) return [];
  // Single braces may enclose something other than a tag.
  return scanTags(instruction, delimiters).pieces.flatMap((piece) =>
    piece.kind === "tag" && (delimiters.start.length > 1 || directiveOf(piece.content) !== null)
      ? [piece.text]
      : [],
  );
}
