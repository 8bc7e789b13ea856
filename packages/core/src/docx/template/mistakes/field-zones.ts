import type { Diagnostic } from "../../../errors.ts";
import { unescapeText } from "../../package/xml.ts";
import { closest, type ElementNode, type TagNode, type TemplateNode } from "../nodes.ts";
import { outlineOf, tagProblem } from "./diagnostics.ts";

/** Elements with a text of their own: a field that begins in one ends in it. */
const FLOWS: ReadonlySet<string> = new Set([
  "w:txbxContent",
  "w:footnote",
  "w:endnote",
  "w:comment",
]);

/** Fields that compare or compute with what the fields within their instructions give. */
const COMPUTING = /^\s*(?:=|IF\b|COMPARE\b)/i;

/** A field that has begun. */
interface OpenField {
  readonly begin: ElementNode;
  /** Whether its instruction has not ended. */
  inInstruction: boolean;
  /** What of the instruction stands in `w:instrText`, as far as it matters. */
  instruction: string;
  /** Whether its end has come. */
  ended: boolean;
}

/**
 * Refuses tags between the beginning of a field and its result, but for those in the text of its
 * instruction, which are judged by themselves. Whatever a value or a block would change there could make
 * another field of it, which reads a file or starts a program. Gives the problem of each tag: the same one
 * for all behind a field that does not end, for what follows would be part of its instruction. Ask before
 * and after the blocks are brought to where they take effect.
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

/** What is told of each field without an end, by its beginning: one problem, however often it is asked for. */
const unended = new WeakMap<ElementNode, Diagnostic>();

function inInstruction(tag: TagNode): Diagnostic {
  return tagProblem(
    tag,
    "tag_in_field",
    `${tag.text} is within the instruction of a Word field, which must not change.`,
    "Put the tag into the text before or after the field. If you see no field there, press Alt+F9 in Word to see the fields.",
  );
}

/** How much of an instruction or a paragraph is quoted. */
const NEAR_LENGTH = 80;

/** A field that does not end, told with the first of the tags behind it. */
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
  /** Each tag that must not stand where it does, with the fields in whose instructions that is, the outermost first. */
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

  /** The fields whose instruction an element is in. The texts of a form field do not belong to its own instruction. */
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

/** So much of an instruction says what the field does. */
const ENOUGH = 200;

function mayStand(tag: TagNode, open: readonly OpenField[]): boolean {
  const around = inInstructionOf(open);
  if (around.length === 0) return true;
  if (tag.parent?.name !== "w:instrText") return false;
  // What the innermost field shows is part of the instructions around it.
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
