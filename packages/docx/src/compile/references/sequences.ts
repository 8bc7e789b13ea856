import {
  type NumberStyle,
  SequenceNumbers,
  type SequenceOp,
} from "../../program/sequence-numbers.ts";
import { resultOf, UNKNOWN } from "../../template/fields/field-stack.ts";
import { readInstruction } from "../../template/fields/instructions.ts";
import type { ElementNode } from "../../template/nodes/nodes.ts";
import type { PartReferences, ReadField } from "./part-references.ts";

/** The sequence fields of a part whose numbers depend on blocks. */
export interface ChangedSequences {
  /**
   * The numbers that are computed for each document. The key is the text element that the number replaces; for a hidden
   * number, it is the mark that begins its field.
   */
  readonly counted: ReadonlyMap<ElementNode, SequenceOp>;
  /** Fields that only Word can count. */
  readonly others: readonly ReadField[];
  /** Both kinds of fields. */
  readonly all: ReadonlySet<ReadField>;
}

/**
 * Finds the sequences with a number in a block, such as the numbers of figures in a loop. Only the first number in a
 * block and the numbers after it may change.
 */
export function changedSequences(part: PartReferences): ChangedSequences {
  const counted = new Map<ElementNode, SequenceOp>();
  const others: ReadField[] = [];
  const all = new Set<ReadField>();
  const inOrder = part.sequences.toSorted((a, b) => a.from - b.from);
  for (const [sequence, fields] of Map.groupBy(inOrder, nameOf)) {
    const first = fields.findIndex(({ note }) => note.inBlock);
    if (first === -1) continue;
    const changed = fields.slice(first);
    for (const field of changed) all.add(field);
    const ops = countedIn(part, fields, first, sequence);
    if (ops === null) others.push(...changed);
    for (const [element, op] of ops ?? []) counted.set(element, op);
  }
  return { counted, others, all };
}

/** Returns the numbers of a sequence, starting with the first number in a block; null if only Word can count them. */
function countedIn(
  { tree, content }: PartReferences,
  fields: readonly ReadField[],
  first: number,
  sequence: string,
): Map<ElementNode, SequenceOp> | null {
  // Word counts text boxes, notes and headers separately from the body.
  const isApart = ({ note }: ReadField): boolean => note.inBox || note.inField;
  if (tree.root.name !== "w:document" || fields.some(isApart)) return null;
  const steps = fields.map(stepOf);
  if (!steps.every((step) => step !== null)) return null;
  const numbers = new SequenceNumbers();
  for (const step of steps.slice(0, first)) numbers.next({ ...step, sequence, start: 0 });
  const start = numbers.last(sequence);
  const ops = new Map<ElementNode, SequenceOp>();
  const others: ElementNode[] = [];
  for (const [index, field] of fields.entries()) {
    const step = steps[index];
    if (index < first || step === undefined) continue;
    const texts = textsOf(resultOf(field, content));
    const place = step.style === null ? field.begin : texts?.[0];
    if (texts === null || place === undefined) return null;
    ops.set(place, { ...step, sequence, start });
    others.push(...texts.filter((text) => text !== place));
  }
  for (const text of others) text.children.length = 0;
  return ops;
}

/** Returns the text elements of a result; null if it contains anything else. */
function textsOf(content: readonly ElementNode[]): readonly ElementNode[] | null {
  const isText = ({ name, children }: ElementNode): boolean =>
    name === "w:t" && children.length > 0 && children.every(({ kind }) => kind === "text");
  return content.every(isText) ? content : null;
}

function nameOf({ instruction }: ReadField): string {
  return readInstruction(instruction).words[0]?.text.toLowerCase() ?? "";
}

type Step = Omit<SequenceOp, "sequence" | "start">;

/** Switches that are supported here. `\s`, which restarts at headings, and `\#`, a pattern, are not. */
const SWITCHES: ReadonlySet<string> = new Set(["*", "c", "h", "n", "r"]);

/** Returns how a field changes the number of its sequence; null if only Word can compute it. */
function stepOf({ instruction }: ReadField): Step | null {
  const { words, switches } = readInstruction(instruction);
  const named = switches.map(({ name, argument }) => [name.toLowerCase(), argument?.text ?? ""]);
  const argumentsOf = (wanted: string): string[] =>
    named.flatMap(([name, argument = ""]) => (name === wanted ? [argument] : []));
  // A second word is a bookmark, whose number the field repeats.
  if (words.length !== 1 || instruction.includes(UNKNOWN)) return null;
  if (!switches.every(({ name }) => SWITCHES.has(name.toLowerCase()))) return null;
  const [reset] = argumentsOf("r");
  if (reset !== undefined && !/^\d{1,9}$/.test(reset)) return null;
  const styles = argumentsOf("*").filter((text) => !/^(?:merge|char)format$/i.test(text));
  const [style, ...more] = styles.map(styleOf);
  if (style === null || more.length > 0) return null;
  const isHidden = argumentsOf("h").length > 0 && style === undefined;
  return {
    op: "sequence",
    reset: reset === undefined ? null : Number(reset),
    repeats: argumentsOf("c").length > 0,
    style: isHidden ? null : (style ?? "arabic"),
  };
}

/** Returns a number format that does not depend on the language; null for any other format. */
function styleOf(text: string): NumberStyle | null {
  const isCapital = text.slice(0, 1) !== text.slice(0, 1).toLowerCase();
  switch (text.toLowerCase()) {
    case "arabic":
      return "arabic";
    case "arabicdash":
      return "arabicDash";
    case "roman":
      return isCapital ? "ROMAN" : "roman";
    case "alphabetic":
      return isCapital ? "ALPHABETIC" : "alphabetic";
    default:
      return null;
  }
}
