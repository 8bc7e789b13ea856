import { decimalText, toDecimal } from "../format/decimal.ts";
import { indexedElements } from "../format/elements.ts";
import type { ChartPointOp } from "../program/chart-ops.ts";
import type { FlowContext } from "../program/flow.ts";
import type { Op } from "../program/ops.ts";
import type { LinkOp, TextOp } from "../program/tag-ops.ts";
import { hintForLink } from "../values/arguments/print-hints.ts";
import { argumentOf, hasModifier } from "../values/modifiers.ts";
import { safeLink } from "../values/rich/link.ts";
import { attributeXml, plainXml, textXml } from "../values/text.ts";
import { ADDRESS_WINDOW, addressOf, instructionText, NOWHERE, warnOfAddress } from "./addresses.ts";
import { reportChartValue } from "./charts/chart-values.ts";
import { stateXml } from "./control-state.ts";
import { Delimiters } from "./delimiters.ts";
import { placeOf } from "./evaluate/context/pointers.ts";
import { evaluateTag, isPrintedList, printFound } from "./evaluate/print-tag.ts";
import { checkName } from "./follow-reference.ts";
import type { PartWriter } from "./part-writer.ts";
import { imageOf, mustBePicture, pictureRun, picturesIn, placeholderXml } from "./pictures.ts";
import { INSTRUCTION_WINDOW } from "./references/written-name.ts";
import type { Rendering } from "./rendering.ts";
import { printFlat, printRich, type RichTarget } from "./rich.ts";
import type { TableWriter } from "./table-writer.ts";

/** Writes the output of tags: text and, where the paragraph allows it, pictures, links and rich text. */
export class ContentWriter {
  readonly #target: RichTarget;
  readonly #part: string;
  readonly #rendering: Rendering;
  readonly #writer: PartWriter;
  readonly #delimiters: Delimiters;
  readonly #tables: Pick<TableWriter, "textWidthEmu">;

  constructor(target: RichTarget, tables: Pick<TableWriter, "textWidthEmu">) {
    this.#target = target;
    this.#tables = tables;
    this.#part = target.part;
    this.#rendering = target.rendering;
    this.#writer = target.writer;
    this.#delimiters = new Delimiters(target.writer);
    target.rendering.env.isInHeader = target.rendering.output.facts.headers.has(target.part);
  }

  /** Writes a tag that prints a value. */
  text(op: TextOp): void {
    const found = evaluateTag(op, this.#rendering);
    if (op.mode === "address" && found.kind !== "value") {
      this.#writer.write(NOWHERE, "other");
      return;
    }
    if (found.kind === "value") this.#value(found.op, found.value, found.isDefault);
    else this.#plain(op, found.kind === "kept" ? found.text : "");
    if (found.kind === "nothing" || op.mode === "address") return;
    if (found.kind === "value" && isPrintedList(found.value, op.modifiers)) return;
    this.#delimiters.after(op, this.#rendering.env.scope, (text) => this.#escape(op, text));
  }

  #value(op: TextOp, value: unknown, isDefault: boolean): void {
    const { modifiers } = op;
    if (op.flow === null) {
      this.#plain(op, this.#withoutFlow(op, value));
      return;
    }
    const maxWidthEmu = this.#tables.textWidthEmu ?? op.flow.maxWidthEmu;
    const flow: FlowContext = { ...op.flow, maxWidthEmu };
    const pictures = picturesIn(value, modifiers);
    if (hasModifier(modifiers, "link")) this.#link(op, value, flow);
    else if (pictures !== null) this.#pictures(op, pictures, flow);
    else if (!isDefault && mustBePicture(value, modifiers)) imageOf(op, value, this.#rendering);
    else this.#running(op, value, flow);
  }

  /** Prints a value in an attribute, a property or a field, where only text is possible. */
  #withoutFlow(op: TextOp, value: unknown): string {
    if (picturesIn(value, op.modifiers) !== null) {
      const hint =
        op.mode === "attribute"
          ? `: ${op.noPicture ?? "a placeholder picture has its tag alone in the first line of its alternative text"}`
          : "";
      const problem = `is a picture, which cannot be printed here${hint}`;
      const { env, diagnostics } = this.#rendering;
      diagnostics.invalid(op.origin, problem, placeOf(op.expression, env));
      return "";
    }
    const found = op.mode !== "address" && op.mode !== "addressPart";
    const text = printFlat(op, value, this.#rendering, { found }) ?? "";
    if (op.most === undefined || text.length <= op.most) return text;
    const problem = `is longer than the ${op.most} characters that Word accepts here`;
    this.#rendering.diagnostics.invalid(op.origin, problem);
    return "";
  }

  #plain(op: TextOp, text: string): void {
    if (text !== "") this.#writer.show();
    this.#writer.write(this.#escape(op, text), "other");
  }

  #escape(op: TextOp, text: string): string {
    switch (op.mode) {
      case "run":
        return textXml(text);
      case "plain":
        return plainXml(text);
      case "attribute":
        return attributeXml(text);
      default: {
        const written = (): string => this.#writer.tail(ADDRESS_WINDOW);
        return plainXml(instructionText(op, text, written, this.#rendering));
      }
    }
  }

  #pictures(op: TextOp, values: readonly unknown[], flow: FlowContext): void {
    const there = [...indexedElements(values)].filter(([, value]) => (value ?? null) !== null);
    const last = there.length - 1;
    const delimiter = argumentOf(op.modifiers, "delimiter") ?? "";
    const beforeLast = argumentOf(op.modifiers, "lastdelimiter") ?? delimiter;
    for (const [index, [element, value]] of there.entries()) {
      if (index > 0) this.#plain(op, index === last ? beforeLast : delimiter);
      const image = imageOf(op, value, this.#rendering, element);
      if (image === null) continue;
      const run = pictureRun(image, op, flow, this.#target);
      this.#writer.write(flow.closeRun + run + flow.openRun, "other");
      this.#writer.show();
    }
  }

  #link(op: TextOp, value: unknown, flow: FlowContext): void {
    const { output } = this.#rendering;
    const address = typeof value === "string" ? safeLink(value) : null;
    const label = argumentOf(op.modifiers, "link") ?? printFound(op, value, this.#rendering) ?? "";
    if (address === null) {
      const given = argumentOf(op.modifiers, "link");
      warnOfAddress(op, this.#rendering, () =>
        hintForLink(op.origin.text, op.expression, given, value),
      );
    }
    if (address === null || flow.inLink) {
      this.#plain(op, label);
      return;
    }
    const style = output.facts.styleId("Hyperlink", "character");
    const look =
      style === null
        ? `${flow.runProperties}<w:color w:val="0563C1"/><w:u w:val="single"/>`
        : `<w:rStyle w:val="${attributeXml(style)}"/>${flow.runProperties}`;
    const run = `<w:r><w:rPr>${look}</w:rPr><w:t xml:space="preserve">${textXml(label)}</w:t></w:r>`;
    const id = output.link(this.#part, address);
    this.#writer.write(
      `${flow.closeRun}<w:hyperlink r:id="${id}">${run}</w:hyperlink>${flow.openRun}`,
      "other",
    );
    this.#writer.show();
  }

  /** Writes text, or rich text if the value is HTML or the tag requests it. */
  #running(op: TextOp, value: unknown, flow: FlowContext): void {
    const text = printRich(op, value, flow, this.#target);
    if (text !== null) this.#plain(op, text);
  }

  /** Writes the attribute with the address of a link that contains tags. Omits an unsafe address. */
  address(op: Extract<Op, { op: "link" }>): void {
    this.#writer.write(this.#addressXml(op), "unchanged");
  }

  #addressXml(op: Extract<Op, { op: "link" }>): string {
    const address = addressOf(op, this.#rendering);
    if (address !== null) return ` r:id="${this.#rendering.output.link(this.#part, address)}"`;
    // A drawing's link must have the attribute (ECMA-376 part 1, 21.1.2.3.5).
    return op.element.startsWith("a:") ? ' r:id=""' : "";
  }

  /** Writes what belongs to a content control, a picture, a link or a chart, or checks the name in a reference. */
  special(
    op: Extract<Op, { op: "state" | "picture" | "link" | "chart" | "chartPoint" | "taggedName" }>,
  ): void {
    // The state of a content control is the one of the value that it shows.
    if (op.op === "state") this.#writer.write(stateXml(op, this.#rendering), "unchanged");
    else if (op.op === "picture") this.#picture(op);
    else if (op.op === "link") this.address(op);
    else if (op.op === "chart") this.#chart(op);
    else if (op.op === "taggedName") {
      checkName(op, this.#writer.tail(INSTRUCTION_WINDOW), this.#rendering);
    } else this.#chartPoint(op);
  }

  #chart(op: Extract<Op, { op: "chart" }>): void {
    const { output, env, budget } = this.#rendering;
    const id = output.copy(this.#part, op, env.scope, budget.spend);
    this.#writer.relationships.use([id]);
    this.#writer.write(attributeXml(id), "unchanged");
  }

  /** Writes a point of a chart; nothing for a gap. Fails for anything except a number, which Word would report as damage. */
  #chartPoint({ value: op, attributes }: ChartPointOp): void {
    const { env } = this.#rendering;
    const found = evaluateTag(op, this.#rendering);
    const { kind } = found;
    const value = kind === "value" ? found.value : undefined;
    if (kind === "nothing" || (value === "" && hasModifier(op.modifiers, "optional"))) return;
    const number = kind === "value" ? toDecimal(value) : null;
    if (number === null) {
      reportChartValue(op, value, this.#rendering);
      return;
    }
    const index = env.scope?.index ?? 0;
    this.#writer.write(
      `<c:pt idx="${index}"${attributes}><c:v>${decimalText(number)}</c:v></c:pt>`,
      "other",
    );
  }

  /** Writes a placeholder picture, filled with the image that its tag names. */
  #picture(op: Extract<Op, { op: "picture" }>): void {
    const xml = placeholderXml(op, this.#target, (other) => this.#otherXml(other));
    if (xml === null) return;
    this.#writer.write(xml, "other");
    this.#writer.show();
  }

  /** Returns the output of another tag of a placeholder picture: the value of an attribute, or an attribute. */
  #otherXml(op: TextOp | LinkOp): string {
    if (op.op === "link") return this.#addressXml(op);
    const found = evaluateTag(op, this.#rendering);
    if (found.kind === "value") return this.#escape(op, this.#withoutFlow(found.op, found.value));
    return found.kind === "kept" ? this.#escape(op, found.text) : "";
  }
}
