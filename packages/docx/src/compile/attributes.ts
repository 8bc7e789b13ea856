import { unescapeText } from "@quire/ooxml/internal/xml/escape";
import type { Op } from "../program/ops.ts";
import type { AddressPiece } from "../program/tag-ops.ts";
import {
  type AttributePiece,
  attributesOf,
  type ComputedNumber,
  type ControlState,
  type ElementNode,
} from "../template/nodes/nodes.ts";
import { attributeXml } from "../values/text.ts";
import { loopedAttributes, NOTE_REFERENCES } from "./loop-ids.ts";
import { numberOp } from "./series-ops.ts";
import { originOf, textOpOf } from "./text-op.ts";

/** A piece of a start tag: fixed XML, or an op. */
type Piece = string | Op;

/**
 * Returns the attributes of an element, with an op for each attribute that depends on the data or on the iteration of a
 * loop. `restarts`: whether the element is a `w:numId` whose list is restarted by a block.
 */
export function attributePieces(
  element: ElementNode,
  inLoop: boolean,
  restarts: boolean,
): readonly Piece[] {
  const { attributes, tagged, computed, state } = element;
  if (tagged !== undefined) return taggedAttributes(element, tagged, inLoop);
  if (computed !== undefined) return computedNumber(attributes, computed);
  if (state !== undefined) return stateAttributes(element, state);
  if (restarts) {
    const numId = Number(/ w:val="(\d+)"/.exec(attributes)?.[1]);
    return [' w:val="', { op: "list", numId, level: null }, '"'];
  }
  // References are always ops, because a note is written once for each reference.
  const always = NOTE_REFERENCES.has(element.name);
  return inLoop || always ? loopedAttributes(element.name, attributes) : [attributes];
}

function taggedAttributes(
  { name: element, attributes }: ElementNode,
  tagged: ReadonlyMap<string, readonly AttributePiece[]>,
  inLoop: boolean,
): Piece[] {
  return [...attributes.matchAll(/ ([^=]+)="[^"]*"/g)].flatMap(([all, name = ""]) => {
    const pieces = tagged.get(name);
    // If a link has an address, its anchor refers to another document.
    const isFixed = name === "w:anchor" && tagged.has("r:id");
    if (pieces === undefined) return inLoop && !isFixed ? loopedAttributes(element, all) : [all];
    return name === "r:id"
      ? link(element, pieces)
      : [` ${name}="`, ...pieces.flatMap(valuePiece), '"'];
  });
}

function valuePiece(piece: AttributePiece): Piece[] {
  if (typeof piece === "string") return [attributeXml(piece)];
  const op = textOpOf(piece, piece.fieldRole ?? "attribute", null);
  return op === null ? [] : [op];
}

function link(element: string, pieces: readonly AttributePiece[]): Piece[] {
  const first = pieces.find((piece) => typeof piece !== "string");
  if (first === undefined) return [];
  const address = pieces.flatMap((piece): AddressPiece[] => {
    const op = typeof piece === "string" ? piece : textOpOf(piece, "attribute", null);
    return op === null ? [] : [op];
  });
  return [{ op: "link", origin: originOf(first), element, pieces: address }];
}

function stateAttributes(element: ElementNode, { of, tag }: ControlState): Piece[] {
  const value = textOpOf(tag, "plain", null);
  if (value === null) return [element.attributes];
  const entries = new Map<string, string>();
  for (const child of element.children) {
    if (child.kind !== "element" || child.name !== "w:listItem") continue;
    const { "w:displayText": shown, "w:value": own = shown } = attributesOf(child.attributes);
    const text = unescapeText(shown ?? own ?? "");
    if (!entries.has(text)) entries.set(text, own ?? "");
  }
  const state: Op = {
    op: "state",
    of,
    value,
    entries,
    isClosed: element.name === "w:dropDownList",
  };
  return of === "checkbox" ? [state] : [element.attributes, state];
}

function computedNumber(attributes: string, computed: ComputedNumber): Piece[] {
  const [before = "", after = ""] = attributes.split(/(?<= (?:w:)?(?:val|w)=")\d+(?=")/);
  return [before, numberOp(computed), after];
}
