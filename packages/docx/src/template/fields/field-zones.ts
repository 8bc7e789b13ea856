import type { Diagnostic } from "@quire/contracts";
import { unescapeText } from "@quire/ooxml/internal/xml/escape";
import { outlineOf, tagProblem } from "../nodes/diagnostics.ts";
import { closest, type ElementNode, type TagNode, type TemplateNode } from "../nodes/nodes.ts";

/** Elements that begin a separate text flow. A field that begins in a flow also ends there. */
const FLOWS: ReadonlySet<string> = new Set([
  "w:txbxContent",
  "w:footnote",
  "w:endnote",
  "w:comment",
]);

/** Fields that use the results of nested fields in their instructions. */
const COMPUTING = /^\s*(?:=|IF\b|COMPARE\b)/i;

/** A field whose beginning has been read. */
interface OpenField {
  readonly begin: ElementNode;
  /** Whether text that follows belongs to the instruction. */
  inInstruction: boolean;
  /** The first characters of the instruction, from `w:instrText`. */
  instruction: string;
  /** Whether the end of the field has been read. */
  ended: boolean;
}

/**
 * Rejects tags between the beginning of a field and its result, except for tags in the text of its instruction, which
 * have separate checks. A value or a block in such a position could turn the field into a different field, which reads
 * a file or starts a program. Returns the problem of each tag. All tags after a field without an end share one problem,
 * because the text after such a field would be part of its instruction. Call this before and after the blocks are moved
 * to where they take effect.
 */
export function checkFieldZones(root: ElementNode): Map<TagNode, Diagnostic> {
  const walk = new ZoneWalk();
  walk.node(root);
  const problems = new Map<TagNode, Diagnostic>();
  for (const [tag, around] of walk.found) {
    const field = around.find(({ ended }) => !ended);
    if (field === undefined) problems.set(tag, inInstruction(tag));
    else {
      const problem = unended.get(field.begin) ?? behindUnended(tag, field);
      unended.set(field.begin, problem);
      problems.set(tag, problem);
    }
  }
  return problems;
}

/** The problem for each field without an end, by its beginning, so that each call returns the same object. */
const unended = new WeakMap<ElementNode, Diagnostic>();

function inInstruction(tag: TagNode): Diagnostic {
  return tagProblem(
    tag,
    "tag_in_field",
    `${tag.text} is within the instruction of a Word field, which must not change.`,
    "Put the tag into the text before or after the field. If you see no field there, press Alt+F9 in Word to see the fields.",
  );
}

/** Number of characters of an instruction or a paragraph to quote. */
const NEAR_LENGTH = 80;

/** Returns the problem of a field without an end, reported at the first tag after it. */
function behindUnended(tag: TagNode, { begin, instruction }: OpenField): Diagnostic {
  const paragraph = closest(begin, "w:p");
  const text = instruction.trim() || (paragraph === null ? "" : outlineOf(paragraph).text.trim());
  return {
    severity: "error",
    code: "tag_in_field",
    message: `A Word field begins in this paragraph and does not end, so ${tag.text} and all tags after it would be part of its instruction, which must not change.`,
    hint: "Press Alt+F9 in Word to see the fields, delete this one, save the template, and insert the field again if you need it.",
    template: {
      part: tag.place.part,
      ...(paragraph === null ? {} : { paragraph: paragraph.paragraph }),
      near: text.slice(0, NEAR_LENGTH),
    },
  };
}

class ZoneWalk {
  /** Each tag in a forbidden place, with the fields whose instructions contain it, outermost first. */
  readonly found = new Map<TagNode, readonly OpenField[]>();
  readonly #open: OpenField[] = [];

  node(node: TemplateNode): void {
    switch (node.kind) {
      case "tag":
        if (!mayStand(node, this.#open)) this.#refuse(node);
        break;
      case "marker":
        if (this.#around.length > 0) this.#refuse(node.tag);
        break;
      case "text":
        if (node.parent?.name === "w:instrText") this.#instruction(node.xml);
        break;
      case "element":
        this.#element(node);
    }
  }

  get #around(): OpenField[] {
    return inInstructionOf(this.#open);
  }

  /**
   * Returns the fields whose instruction contains an element. The text of a form field does not belong to its own
   * instruction.
   */
  #zonesAround(element: ElementNode): OpenField[] {
    const isOfForm = closest(element, "w:ffData") !== null;
    return this.#around.filter((field) => !(isOfForm && field === this.#open.at(-1)));
  }

  #refuse(tag: TagNode): void {
    this.found.set(tag, this.#around);
  }

  #instruction(xml: string): void {
    const field = this.#open.at(-1);
    if (field !== undefined && field.instruction.length < ENOUGH) {
      field.instruction += unescapeText(xml.slice(0, ENOUGH));
    }
  }

  #element(element: ElementNode): void {
    if (element.name === "w:fldChar") follow(element, this.#open);
    if (element.tagged !== undefined && this.#zonesAround(element).length > 0) {
      const pieces = [...element.tagged.values()].flat();
      for (const piece of pieces) if (typeof piece !== "string") this.#refuse(piece);
    }
    const before = this.#open.length;
    for (const child of element.children) this.node(child);
    if (FLOWS.has(element.name)) this.#open.length = Math.min(this.#open.length, before);
  }
}

/** Number of characters of an instruction that show what the field does. */
const ENOUGH = 200;

function mayStand(tag: TagNode, open: readonly OpenField[]): boolean {
  const around = inInstructionOf(open);
  if (around.length === 0) return true;
  if (tag.parent?.name !== "w:instrText") return false;
  // The result of the innermost field is part of the instructions around it.
  return around
    .filter((field) => field !== open.at(-1))
    .every(({ instruction }) => COMPUTING.test(instruction));
}

function inInstructionOf(open: readonly OpenField[]): OpenField[] {
  return open.filter(({ inInstruction }) => inInstruction);
}

function follow(begin: ElementNode, open: OpenField[]): void {
  const type = / w:fldCharType="([^"]*)"/.exec(begin.attributes)?.[1];
  if (type === "begin") open.push({ begin, inInstruction: true, instruction: "", ended: false });
  else if (type === "end") {
    const field = open.pop();
    if (field !== undefined) field.ended = true;
  } else if (type === "separate") {
    const field = open.at(-1);
    if (field !== undefined) field.inInstruction = false;
  }
}

/** Whether some content contains both the beginning and the end of each of its fields. */
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
