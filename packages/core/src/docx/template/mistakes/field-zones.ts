import type { Diagnostic } from "../../../errors.ts";
import { unescapeText } from "../../package/xml.ts";
import type { ElementNode, TagNode, TemplateNode } from "../nodes.ts";
import { tagProblem } from "./diagnostics.ts";

/** Elements with a text of their own: a field that begins in one ends in it. */
const FLOWS: ReadonlySet<string> = new Set([
  "w:txbxContent",
  "w:footnote",
  "w:endnote",
  "w:comment",
]);

/** Fields that compare or compute with what the fields within their instructions give. */
const COMPUTING = /^\s*(?:=|IF\b|COMPARE\b)/i;

/** A field that has begun and not ended. */
interface OpenField {
  /** Whether its instruction has not ended. */
  inInstruction: boolean;
  /** What of the instruction stands in `w:instrText`, as far as it matters. */
  instruction: string;
}

/**
 * Refuses tags between the beginning of a field and its result, but for those in the text of its
 * instruction, which are judged by themselves. Whatever a value or a block would change there could make
 * another field of it, which reads a file or starts a program. Ask before and after the blocks are
 * brought to where they take effect.
 */
export function checkFieldZones(root: ElementNode): Diagnostic[] {
  const walk = new ZoneWalk();
  walk.node(root);
  return [...walk.found].map((tag) =>
    tagProblem(
      tag,
      "tag_in_field",
      `${tag.text} takes effect within the instruction of a field of Word, which nothing may change.`,
      "Put the tag into the text before or behind the field. If you see no field there, press Alt+F9 in Word to see the fields.",
    ),
  );
}

class ZoneWalk {
  readonly found = new Set<TagNode>();
  readonly #open: OpenField[] = [];

  node(node: TemplateNode): void {
    switch (node.kind) {
      case "tag":
        if (!mayStand(node, this.#open)) this.found.add(node);
        break;
      case "marker":
        if (this.#inInstruction) this.found.add(node.tag);
        break;
      case "text":
        if (node.parent?.name === "w:instrText") this.#instruction(node.xml);
        break;
      case "element":
        this.#element(node);
    }
  }

  get #inInstruction(): boolean {
    return this.#open.some(({ inInstruction }) => inInstruction);
  }

  #instruction(xml: string): void {
    const field = this.#open.at(-1);
    if (field !== undefined && field.instruction.length < ENOUGH) {
      field.instruction += unescapeText(xml.slice(0, ENOUGH));
    }
  }

  #element(element: ElementNode): void {
    if (element.name === "w:fldChar") follow(element, this.#open);
    if (element.tagged !== undefined && this.#inInstruction) {
      const pieces = [...element.tagged.values()].flat();
      for (const piece of pieces) if (typeof piece !== "string") this.found.add(piece);
    }
    const before = this.#open.length;
    for (const child of element.children) this.node(child);
    if (FLOWS.has(element.name)) this.#open.length = Math.min(this.#open.length, before);
  }
}

/** So much of an instruction says what the field does. */
const ENOUGH = 200;

function mayStand(tag: TagNode, open: readonly OpenField[]): boolean {
  const around = open.filter(({ inInstruction }) => inInstruction);
  if (around.length === 0) return true;
  if (tag.parent?.name !== "w:instrText") return false;
  // What the innermost field shows is part of the instructions around it.
  return around
    .filter((field) => field !== open.at(-1))
    .every(({ instruction }) => COMPUTING.test(instruction));
}

function follow({ attributes }: ElementNode, open: OpenField[]): void {
  const type = / w:fldCharType="([^"]*)"/.exec(attributes)?.[1];
  if (type === "begin") open.push({ inInstruction: true, instruction: "" });
  else if (type === "end") open.pop();
  else if (type === "separate") {
    const field = open.at(-1);
    if (field !== undefined) field.inInstruction = false;
  }
}

/** Whether every field that begins in some content ends in it, and none ends that did not begin there. */
export function hasWholeFields(root: ElementNode): boolean {
  let open = 0;
  let whole = true;
  const visit = (node: TemplateNode): void => {
    if (node.kind !== "element") return;
    if (node.name === "w:fldChar") {
      if (/ w:fldCharType="begin"/.test(node.attributes)) open += 1;
      else if (open === 0) whole = false;
      if (/ w:fldCharType="end"/.test(node.attributes)) open -= 1;
    }
    for (const child of node.children) visit(child);
  };
  visit(root);
  return whole && open === 0;
}
