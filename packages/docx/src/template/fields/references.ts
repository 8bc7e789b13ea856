import type { ElementNode, TemplateNode, TextNode } from "../nodes/nodes.ts";
import { type Instruction, isKeyword, readInstruction, type Word } from "./instructions.ts";

/** The name of a bookmark in the instruction of a field. */
export interface NamedBookmark {
  readonly name: string;
  /** The range of the name in the instruction. */
  readonly from: number;
  readonly to: number;
  /** Whether the word is certainly a name. A word in a formula or a comparison may be something else. */
  readonly sure: boolean;
}

/** The hint for tags in the name of a bookmark. */
export const WITHOUT_TAGS =
  "Use a name without tags for the bookmark and the references to it. If both are in loops over the same list, each reference leads to the bookmark of its item.";

/** Returns the bookmarks in the instruction of a field, which is XML. */
export function referencesIn(instruction: string): NamedBookmark[] {
  const read = readInstruction(instruction);
  const { keyword, first, words } = read;
  const sure = (word: Word | null | undefined): NamedBookmark[] =>
    word ? named([word], NAME.test(word.text)) : [];
  switch (keyword) {
    case "":
      return [];
    case "REF":
    case "PAGEREF":
    case "NOTEREF":
    case "FTNREF":
    case "GOTOBUTTON":
      return sure(words[0]);
    case "HYPERLINK":
      return words.length === 0 ? sure(placeOfLink(read)) : [];
    case "SEQ":
      return named(words.slice(1, 2), false);
    case "IF":
    case "COMPARE":
      return named(
        words.slice(0, 3).filter(({ quoted }) => !quoted),
        false,
      );
    case "=":
      return formulaNames(instruction, first?.to ?? 0);
    default:
      return isKeyword(keyword) || first === null ? [] : named([first], false);
  }
}

/** Matches the names that Word allows. Other programs allow more characters. */
const NAME = /^[\p{L}_][\p{L}\p{N}_]*$/u;

function named(words: readonly Word[], sure: boolean): NamedBookmark[] {
  return words.map(({ text, from, to }) => ({ name: text, from, to, sure }));
}

/** Returns the target bookmark of a link without an address, or null. */
function placeOfLink({ switches }: Instruction): Word | null {
  return switches.find(({ name }) => name.toLowerCase() === "l")?.argument ?? null;
}

/** Returns the words of a formula, without its functions. */
function formulaNames(instruction: string, start: number): NamedBookmark[] {
  const words = instruction.slice(start).matchAll(/([\p{L}_][\p{L}\p{N}_]*)(\s*\()?/gu);
  return [...words].flatMap(({ 1: name = "", 2: open, index }) => {
    const from = start + index;
    return open === undefined ? [{ name, from, to: from + name.length, sure: false }] : [];
  });
}

/** Returns the instruction with the names of its bookmarks replaced. */
export function withNames(
  instruction: string,
  names: readonly Pick<NamedBookmark, "name" | "from" | "to">[],
): string {
  let text = "";
  let at = 0;
  for (const { name, from, to } of names) {
    text += instruction.slice(at, from) + name;
    at = to;
  }
  return text + instruction.slice(at);
}

/** The instruction of an open field, as far as it is known. */
interface OpenField {
  readonly pieces: TextNode[];
  /** Whether the instruction contains anything other than text. */
  mixed: boolean;
}

/** Joins each instruction that refers to bookmarks into one piece, if Word has split it over runs. */
export function joinReferences(root: ElementNode): void {
  const open: OpenField[] = [];
  const visit = (node: TemplateNode): void => {
    const field = open.at(-1);
    if (node.kind === "text") {
      if (node.parent?.name === "w:instrText") field?.pieces.push(node);
    } else if (node.kind !== "element") {
      if (field !== undefined) field.mixed = true;
    } else {
      if (node.name === "w:fldChar") follow(node, open);
      for (const child of node.children) visit(child);
    }
  };
  visit(root);
}

function follow({ attributes }: ElementNode, open: OpenField[]): void {
  const type = / w:fldCharType="([^"]*)"/.exec(attributes)?.[1];
  if (type === "begin") {
    // The result of a field within an instruction becomes part of the instruction.
    for (const around of open) around.mixed = true;
    open.push({ pieces: [], mixed: false });
  }
  const field = open.at(-1);
  if (field === undefined || type === "begin") return;
  if (!field.mixed) join(field.pieces);
  field.pieces.length = 0;
  field.mixed = true;
  if (type === "end") open.pop();
}

function join([first, ...others]: readonly TextNode[]): void {
  if (first === undefined || others.length === 0) return;
  const whole = first.xml + others.map(({ xml }) => xml).join("");
  if (referencesIn(whole).length === 0) return;
  first.xml = whole;
  for (const other of others) other.xml = "";
}
