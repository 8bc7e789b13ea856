import type { ElementNode, TemplateNode, TextNode } from "../nodes/nodes.ts";
import { readInstruction } from "./instructions.ts";

/** Elements that begin a separate text flow. A field that begins in a flow also ends there. */
const FLOWS: ReadonlySet<string> = new Set([
  "w:txbxContent",
  "w:footnote",
  "w:endnote",
  "w:comment",
]);

/** Represents a tag or a nested field in an instruction, because its text is not known. */
export const UNKNOWN = "\0";

/** A Word field, as far as it has been read. */
export interface OpenField<T> {
  /** The element that begins the field: `w:fldSimple` or `w:fldChar`. */
  readonly begin: ElementNode;
  /** Data that the reader of the part keeps about the start of the field. */
  readonly note: T;
  /** The instruction as XML, with {@link UNKNOWN} for everything that is not text. */
  instruction: string;
  /** The text nodes of the instruction, with their offsets in it. */
  readonly texts: { readonly node: TextNode; readonly from: number }[];
  /**
   * Indexes in {@link FieldStack.content}: the field's beginning, the separator before its result (null if it has
   * none), and its end.
   */
  readonly from: number;
  separate: number | null;
  end: number;
  /** Whether the instruction, or a field nested in it, has a tag, so that the result depends on data. */
  usesData: boolean;
}

/** Finds the fields of a part. The caller passes each node in document order. */
export class FieldStack<T> {
  /** The content of runs inside fields, with the marks of the fields. */
  readonly content: ElementNode[] = [];
  readonly #open: OpenField<T>[] = [];
  /** For each open text flow, the number of fields that were open before it. */
  readonly #flows: number[] = [];

  /** The open fields, the innermost last. */
  get open(): readonly OpenField<T>[] {
    return this.#open;
  }

  /** Enters an element. Returns the field that this element ends, or null. */
  enter(element: ElementNode, note: () => T): OpenField<T> | null {
    const { name, attributes } = element;
    const type = name === "w:fldChar" ? / w:fldCharType="([^"]*)"/.exec(attributes)?.[1] : "";
    const inRun = element.parent?.name === "w:r" && name !== "w:rPr";
    const isOpen = type === "begin" || this.#open.length > 0;
    const at = inRun && isOpen ? this.content.push(element) - 1 : this.content.length;
    if (FLOWS.has(name)) this.#flows.push(this.#open.length);
    else if (type === "begin") this.#begin(element, "", at, note);
    else if (name === "w:fldSimple") this.#begin(element, instructionOf(element), at, note);
    else if (type === "separate") this.#separate(at);
    else if (type === "end") return this.#end(at);
    return null;
  }

  /** Leaves an element. Returns the field that this element ends, or null. */
  leave(element: ElementNode): OpenField<T> | null {
    if (FLOWS.has(element.name)) {
      this.#open.length = Math.min(this.#open.length, this.#flows.pop() ?? 0);
    }
    if (element.name !== "w:fldSimple") return null;
    const at = this.#open.findLastIndex(({ begin }) => begin === element);
    const field = this.#open[at];
    if (field === undefined) return null;
    this.#open.length = at;
    field.end = this.content.length;
    return field;
  }

  /** Adds text of an instruction. */
  text(node: TextNode): void {
    const field = this.#inInstruction;
    field?.texts.push({ node, from: field.instruction.length });
    this.#add(node.xml);
  }

  /** Adds a tag in the instruction of a field. Fields whose instructions contain this field also depend on the data. */
  unknown(): void {
    for (const field of this.#open) field.usesData ||= field.separate === null;
    this.#add(UNKNOWN);
  }

  get #inInstruction(): OpenField<T> | undefined {
    const field = this.#open.at(-1);
    return field?.separate === null ? field : undefined;
  }

  #add(text: string): void {
    const field = this.#inInstruction;
    if (field !== undefined) field.instruction += text;
  }

  #begin(begin: ElementNode, instruction: string, at: number, note: () => T): void {
    this.#add(UNKNOWN);
    const isSimple = begin.name === "w:fldSimple";
    const place = { from: at, separate: isSimple ? at - 1 : null, end: at };
    const usesData = begin.tagged?.has("w:instr") ?? false;
    this.#open.push({ begin, note: note(), instruction, texts: [], ...place, usesData });
  }

  #separate(at: number): void {
    const field = this.#inInstruction;
    if (field !== undefined) field.separate = at;
  }

  #end(at: number): OpenField<T> | null {
    const field = this.#open.at(-1);
    if (field === undefined || field.begin.name === "w:fldSimple") return null;
    if (this.#open.length === (this.#flows.at(-1) ?? 0)) return null;
    this.#open.pop();
    field.end = at;
    return field;
  }
}

function instructionOf({ attributes, tagged }: ElementNode): string {
  const pieces = tagged?.get("w:instr");
  if (pieces !== undefined) return UNKNOWN;
  return / w:instr="([^"]*)"/.exec(attributes)?.[1] ?? "";
}

/** Returns the elements in runs around a field's result: `head` before the result and `tail` after it. */
export function marksOf<T>(
  { begin, from, separate, end }: OpenField<T>,
  content: readonly ElementNode[],
): { readonly head: readonly ElementNode[]; readonly tail: readonly ElementNode[] } {
  if (begin.name === "w:fldSimple") return { head: [], tail: [] };
  if (separate === null) return { head: content.slice(from, end + 1), tail: [] };
  return { head: content.slice(from, separate + 1), tail: content.slice(end, end + 1) };
}

/** Returns the content of the runs in a field's result. */
export function resultOf<T>(
  { separate, end }: OpenField<T>,
  content: readonly ElementNode[],
): readonly ElementNode[] {
  return separate === null ? [] : content.slice(separate + 1, end);
}

/** Returns the instruction as XML, with {@link UNKNOWN} for each tag, even if the instruction is an attribute. */
export function instructionWithTags({
  begin,
  instruction,
}: Pick<OpenField<unknown>, "begin" | "instruction">): string {
  const pieces = begin.tagged?.get("w:instr");
  if (pieces === undefined) return instruction;
  return pieces.map((piece) => (typeof piece === "string" ? piece : UNKNOWN)).join("");
}

/** Returns the keyword of a field in uppercase; empty if unknown. */
export function keywordOf({ instruction }: Pick<OpenField<unknown>, "instruction">): string {
  const { keyword } = readInstruction(instruction);
  return keyword.includes(UNKNOWN) ? "" : keyword;
}

/** Elements that have no purpose if they are empty. */
const WRAPPERS: ReadonlySet<string> = new Set(["w:r", "w:hyperlink", "w:fldSimple"]);

/**
 * Returns the elements to remove: the content, and the runs and links that would become empty without it. A content
 * control must keep some content.
 */
export function withEmptied(content: readonly ElementNode[]): ElementNode[] {
  const all = new Set<TemplateNode>(content);
  const isEmpty = ({ name, parent, children }: ElementNode): boolean =>
    WRAPPERS.has(name) &&
    parent?.name !== "w:sdtContent" &&
    children.every((node) => all.has(node) || (node.kind === "element" && node.name === "w:rPr"));
  let level = new Set(content);
  while (level.size > 0) {
    const around = new Set([...level].flatMap(({ parent }) => parent ?? []));
    level = new Set([...around].filter(isEmpty));
    for (const each of level) all.add(each);
  }
  const outermost = (element: ElementNode): ElementNode =>
    element.parent !== null && all.has(element.parent) ? outermost(element.parent) : element;
  return [...new Set(content.map(outermost))];
}
