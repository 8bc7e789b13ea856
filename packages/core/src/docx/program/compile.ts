import { tagText } from "../template/diagnostics.ts";
import { isOnlyBlock, isRangeMark } from "../template/lift.ts";
import {
  contentOf,
  type ElementNode,
  endsSection,
  isProperties,
  isVisible,
  type MarkerNode,
  type TagNode,
  type TemplateNode,
} from "../template/nodes.ts";
import type { PartTree } from "../template/tree.ts";
import type { Ending, Op, PartProgram, TagOrigin } from "./ops.ts";

/**
 * Turns a part's tree, in which every block tag has become a marker, into a flat program: the XML is
 * written out in document order, and each marker opens, continues or closes a list of ops.
 */
export function compilePart({ part, prolog, root }: PartTree): PartProgram {
  const emitter = new Emitter();
  emitter.write(prolog);
  emitter.node(root);
  return { part, ops: emitter.finish() };
}

/** A block whose end has not been reached. */
type Frame =
  | { readonly kind: "root" | "wrapped"; readonly ops: Op[] }
  | { readonly kind: "repeat"; readonly tag: TagNode; readonly ops: Op[] }
  | {
      readonly kind: "choose";
      readonly branches: { readonly tag: TagNode; readonly ops: Op[] }[];
    };

/** Containers that Word calls damaged when they do not end in a paragraph. */
const NEEDS_PARAGRAPH = new Set([
  "w:tc",
  "w:txbxContent",
  "w:hdr",
  "w:ftr",
  "w:footnote",
  "w:endnote",
  "w:comment",
]);

class Emitter {
  readonly #frames: Frame[] = [{ kind: "root", ops: [] }];
  #pending = "";
  #visible = false;
  #row = false;
  #ending: Ending = "unchanged";

  finish(): Op[] {
    this.#flush();
    const [root, ...open] = this.#frames;
    if (root?.kind !== "root" || open.length > 0) throw new Error("A block was not closed.");
    return root.ops;
  }

  write(xml: string, ending: Ending = "other", visible = false): void {
    this.#pending += xml;
    this.#visible ||= visible;
    if (ending !== "unchanged") this.#ending = ending;
  }

  node(node: TemplateNode): void {
    switch (node.kind) {
      case "text":
        this.write(node.xml, node.xml.trim() === "" ? "unchanged" : "other", isVisible(node));
        break;
      case "tag":
        this.#value(node);
        break;
      case "marker":
        this.#marker(node);
        break;
      case "element":
        this.#element(node);
    }
  }

  #element(element: ElementNode): void {
    if (isProperties(element)) {
      const visible = this.#visible;
      this.#tag(element, () => this.#children(element.children));
      this.#visible = visible;
    } else if (element.name === "w:tbl" && !hasFixedRow(element)) {
      const body = this.#wrapped(() => this.#tag(element, () => this.#children(element.children)));
      this.#push({ op: "table", body });
    } else if (NEEDS_PARAGRAPH.has(element.name) && !endsInFixedParagraph(element)) {
      this.#tag(element, () => {
        const body = this.#wrapped(() => this.#children(element.children));
        this.#push({ op: "container", body });
      });
    } else if (element.name === "w:p" && isOnlyBlocks(element)) {
      const body = this.#wrapped(() => this.#tag(element, () => this.#children(element.children)));
      this.#push({ op: "paragraph", marks: rangeMarks(element), body });
    } else this.#tag(element, () => this.#children(element.children));
  }

  #tag(element: ElementNode, content: () => void): void {
    const { name, attributes, children } = element;
    const visible = isVisible(element);
    if (name === "w:tr") this.#row = true;
    if (children.length === 0) {
      const mark = isRangeMark(element) ? "unchanged" : "other";
      this.write(`<${name}${attributes}/>`, name === "w:p" ? "paragraph" : mark, visible);
      return;
    }
    this.write(`<${name}${attributes}>`, "other", visible);
    content();
    const end = TRANSPARENT.has(name) ? "unchanged" : "other";
    this.write(`</${name}>`, name === "w:p" ? "paragraph" : end);
  }

  #children(children: readonly TemplateNode[]): void {
    for (const child of children) this.node(child);
  }

  #value(tag: TagNode): void {
    if (tag.directive.kind !== "value") throw new Error("A block tag has not been placed.");
    const { expression, modifiers } = tag.directive;
    this.#push({ op: "text", origin: originOf(tag), expression, modifiers });
  }

  #marker({ tag }: MarkerNode): void {
    this.#flush();
    switch (tag.directive.kind) {
      case "for":
      case "tablerow":
        this.#frames.push({ kind: "repeat", tag, ops: [] });
        break;
      case "if":
        this.#frames.push({ kind: "choose", branches: [{ tag, ops: [] }] });
        break;
      case "elseif":
      case "else": {
        const frame = this.#frames.at(-1);
        if (frame?.kind !== "choose") throw new Error("A branch stands outside of its block.");
        frame.branches.push({ tag, ops: [] });
        break;
      }
      default:
        this.#close();
    }
  }

  #close(): void {
    const frame = this.#frames.pop();
    if (frame?.kind === "repeat") {
      const { directive } = frame.tag;
      if (directive.kind !== "for" && directive.kind !== "tablerow") throw new Error("No loop.");
      const { alias, collection, optional } = directive;
      const origin = originOf(frame.tag);
      this.#push({ op: "repeat", origin, alias, collection, optional, body: frame.ops });
    } else if (frame?.kind === "choose") {
      const branches = frame.branches.map(({ tag, ops }) => ({
        origin: originOf(tag),
        condition: "condition" in tag.directive ? tag.directive.condition : null,
        body: ops,
      }));
      this.#push({ op: "choose", branches });
    } else {
      throw new Error("The ends of two blocks are in the wrong order.");
    }
  }

  /** What an emission adds, as a list of its own. */
  #wrapped(emit: () => void): Op[] {
    this.#flush();
    const ops: Op[] = [];
    const depth = this.#frames.push({ kind: "wrapped", ops });
    emit();
    this.#flush();
    if (this.#frames.length !== depth) throw new Error("A block crosses an element.");
    this.#frames.pop();
    return ops;
  }

  #push(op: Op): void {
    this.#flush();
    this.#current().push(op);
  }

  #flush(): void {
    if (this.#pending === "") return;
    this.#current().push({
      op: "static",
      xml: this.#pending,
      visible: this.#visible,
      row: this.#row,
      ending: this.#ending,
    });
    this.#pending = "";
    this.#visible = false;
    this.#row = false;
    this.#ending = "unchanged";
  }

  #current(): Op[] {
    const frame = this.#frames.at(-1);
    const ops = frame?.kind === "choose" ? frame.branches.at(-1)?.ops : frame?.ops;
    if (ops === undefined) throw new Error("There is no open block.");
    return ops;
  }
}

function originOf(tag: TagNode): TagOrigin {
  return { part: tag.part, paragraph: tag.paragraph, text: tagText(tag) };
}

/** How a marker changes the number of blocks that are open. */
function depthStep(node: TemplateNode): number {
  if (node.kind !== "marker") return 0;
  const { kind } = node.tag.directive;
  if (kind === "for" || kind === "tablerow" || kind === "if") return 1;
  return kind.startsWith("end") ? -1 : 0;
}

/** Elements around rows of a table, or paragraphs of a cell, that are none themselves. */
const TRANSPARENT = new Set(["w:sdt", "w:sdtContent", "w:customXml"]);

/** Whether a row of a table stands outside of every block. */
function hasFixedRow(parent: ElementNode): boolean {
  let depth = 0;
  for (const child of parent.children) {
    depth += depthStep(child);
    if (depth > 0 || child.kind !== "element") continue;
    if (child.name === "w:tr" || (TRANSPARENT.has(child.name) && hasFixedRow(child))) return true;
  }
  return false;
}

/** Whether the last block of a container is a paragraph that is always there. */
function endsInFixedParagraph(container: ElementNode): boolean {
  const last = container.children.findLast(
    (node) => node.kind === "marker" || (node.kind === "element" && !isRangeMark(node)),
  );
  if (last?.kind !== "element") return false;
  if (TRANSPARENT.has(last.name)) return endsInFixedParagraph(last);
  return last.name === "w:p" && !isOnlyBlocks(last);
}

/** Whether all that a paragraph can show stands within blocks that begin and end in it. */
function isOnlyBlocks(paragraph: ElementNode): boolean {
  let depth = 0;
  let blocks = 0;
  for (const node of contentOf(paragraph)) {
    const step = depthStep(node);
    depth += step;
    blocks += Math.max(step, 0);
    if (depth < 0) return false;
    if (depth === 0 && node.kind !== "marker" && isVisible(node)) return false;
  }
  if (blocks === 0 || depth !== 0 || endsSection(paragraph)) return false;
  // Alone in its cell it stays, unless it is repeated there. Asked last: it looks at all siblings.
  return !isOnlyBlock(paragraph) || hasMarker(paragraph.parent);
}

function hasMarker(parent: ElementNode | null): boolean {
  return parent?.children.some(({ kind }) => kind === "marker") ?? false;
}

/** The range marks of a paragraph that stand outside of its blocks, as XML: they outlive it. */
function rangeMarks(paragraph: ElementNode): string {
  let depth = 0;
  let xml = "";
  for (const node of contentOf(paragraph)) {
    depth += depthStep(node);
    if (depth > 0 || node.kind !== "element" || !isRangeMark(node)) continue;
    xml += `<${node.name}${node.attributes}/>`;
  }
  return xml;
}
