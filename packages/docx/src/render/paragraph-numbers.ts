import type { Op } from "../program/ops.ts";
import type { LookTag, NumberingOp, StyledOp, StyleOp } from "../program/tag-ops.ts";
import { type Indents, indentAttributes } from "../template/nodes/paragraph-properties.ts";
import type { Numbering } from "../template/nodes/tag-uses.ts";
import { argumentOf } from "../values/modifiers.ts";
import { type ListTurns, numberingXml } from "./list-turns.ts";
import { type Looks, modifiersOf } from "./looks.ts";
import type { Rendering } from "./rendering.ts";

type Lists = Pick<ListTurns, "xml" | "next" | "continue" | "restart">;

const NO_INDENTS: Indents = {};

/** The numbers of the paragraphs of one part. If tags choose a style, the paragraph has the list and level of that style. */
export class ParagraphNumbers {
  readonly #lists: Lists;
  readonly #looks: Pick<Looks, "styleOf">;
  readonly #rendering: Rendering;
  /** The indents of its style that the current paragraph must repeat, because it names its list. */
  #indents = NO_INDENTS;

  constructor(lists: Lists, looks: Pick<Looks, "styleOf">, rendering: Rendering) {
    this.#lists = lists;
    this.#looks = looks;
    this.#rendering = rendering;
  }

  /** Returns the XML of an op. Tags that continue or restart a list write nothing. */
  xml(op: Extract<Op, { op: "list" | "numbering" | "styled" }>): string {
    if (op.op === "list") return this.#lists.xml(op);
    this.#rendering.env.spend((op.op === "styled" ? op.style : op).tags.length);
    if (op.op === "styled") return op.of === "list" ? this.#list(op.style) : this.#indent(op);
    this.#number(op);
    return "";
  }

  /** Continues or restarts the list of a paragraph, as the last tag says that applies. */
  #number({ numId: own, style, tags }: NumberingOp): void {
    for (const tag of tags.toReversed()) {
      const modifiers = modifiersOf(tag, this.#rendering);
      if (modifiers === null || argumentOf(modifiers, "when") === "0") continue;
      const continues = argumentOf(modifiers, "numbering") === "continue";
      const numId = style === null ? own : this.#countingListOf(style);
      if (numId === null) this.#notNumbered(tag, style, continues);
      else if (continues) this.#lists.continue(numId);
      else this.#lists.restart([numId]);
      return;
    }
  }

  #countingListOf(style: StyleOp): number | null {
    const numId = this.#numberingOf(style)?.numId ?? null;
    return numId !== null && this.#rendering.output.facts.lists.counts(numId) ? numId : null;
  }

  #notNumbered({ origin }: LookTag, style: StyleOp | null, continues: boolean): void {
    // If tags choose the styles of items and of other paragraphs, the same tag continues the list at its items.
    if (style !== null && continues) return;
    this.#rendering.diagnostics.warn(
      origin,
      "not_numbered",
      `The tag ${origin.text} is in a paragraph without a number, so it changes nothing.`,
      undefined,
      () =>
        style === null
          ? "Give the paragraph a number in Word, or leave out the tag."
          : "The style of this paragraph has no number: restart the list at an item with a number.",
    );
  }

  /** Returns the `w:numPr` of a paragraph. */
  #list(choice: StyleOp): string {
    const { lists } = this.#rendering.output.facts;
    const style = this.#looks.styleOf(choice.tags) ?? choice.style;
    const numbering = this.#numberingOf(choice);
    this.#indents = NO_INDENTS;
    if (numbering === null) return "";
    const { numId, level } = numbering;
    const current = lists.counts(numId) ? this.#lists.next(numId) : numId;
    if (style !== null && lists.ofStyle(style)?.numId === current) return "";
    if (style !== null) this.#indents = lists.indentsOf(style);
    return numberingXml(current, level);
  }

  /** Returns the `w:ind` of a paragraph, which comes after its `w:numPr`. */
  #indent({ own }: StyledOp): string {
    const attributes = indentAttributes(own, this.#indents);
    return attributes === "" ? "" : `<w:ind${attributes}/>`;
  }

  /** Returns the list and the level of a paragraph; null if its style has no number. */
  #numberingOf({ tags, style, numbering }: StyleOp): Numbering | null {
    const { lists } = this.#rendering.output.facts;
    const chosen = this.#looks.styleOf(tags);
    if (chosen === null || chosen === style) return numbering;
    const ofChosen = lists.ofStyle(chosen);
    if (ofChosen === null || numbering === null || style === null) return ofChosen;
    // Two styles of one list also share the copy of it that an included paragraph has.
    const isSame = lists.ofStyle(style)?.numId === ofChosen.numId;
    return isSame ? { ...ofChosen, numId: numbering.numId } : ofChosen;
  }
}
