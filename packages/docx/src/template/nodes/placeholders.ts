import {
  attributesOf,
  childNamed,
  closest,
  descendants,
  type ElementNode,
  type TagNode,
  type TemplateNode,
} from "./nodes.ts";

/** A picture of the template that an image replaces. */
export interface Placeholder {
  /** The tag for the image. */
  readonly tag: TagNode;
  /** Whether the tag is the whole alternative text. If not, there is other text in further lines. */
  readonly isAlone: boolean;
  /** The `a:xfrm` of the picture; null if it is missing. */
  readonly frame: ElementNode | null;
  /** Whether the picture is in a group or a canvas. */
  readonly isGrouped: boolean;
}

/**
 * Recognizes a placeholder: a `w:drawing`, or a `pic:pic` in a group, with one picture, whose alternative text is one
 * tag or has a tag alone in its first line. Returns null for anything else.
 */
export function placeholderOf(element: ElementNode): Placeholder | null {
  const isDrawing = element.name === "w:drawing";
  const first = partsOf(element);
  if (first === null) return null;
  const picture = isDrawing ? (first.get("pic:pic") ?? null) : element;
  const isGrouped = picture !== null && picture.parent?.name !== "a:graphicData";
  const frame = isGrouped
    ? childNamed(childNamed(picture, "pic:spPr"), "a:xfrm")
    : (first.get("a:xfrm") ?? null);
  const hasBox = isGrouped
    ? childNamed(frame, "a:off") !== null && childNamed(frame, "a:ext") !== null
    : isDrawing && first.has("wp:extent");
  const isReplaceable = first.get("a:blip")?.attributes.includes(" r:embed=") === true;
  const described = first.get(isDrawing ? "wp:docPr" : "pic:cNvPr");
  const named = described === undefined ? null : loneTag(described);
  if (named?.tag.directive.kind !== "value" || !hasBox || !isReplaceable) return null;
  return { ...named, frame, isGrouped };
}

/** Returns the first element of each name in a drawing or picture; null if it contains two pictures or a tag. */
function partsOf(element: ElementNode): ReadonlyMap<string, ElementNode> | null {
  const first = new Map<string, ElementNode>();
  for (const node of descendants(element)) {
    // A text box next to the picture is written like any other text.
    if (node.kind === "tag" || node.kind === "marker") return null;
    if (node.kind !== "element") continue;
    if (node.changedBy !== undefined) return null;
    if (!first.has(node.name)) first.set(node.name, node);
    else if (node.name === "a:blip") return null;
  }
  return first;
}

/** Returns the tag at the start of an alternative text if it is alone in its line; otherwise null. */
function loneTag({
  tagged,
}: ElementNode): { readonly tag: TagNode; readonly isAlone: boolean } | null {
  const text = tagged?.get("descr") ?? tagged?.get("alt") ?? tagged?.get("title") ?? [];
  const pieces = text.filter(
    (piece, index) => index > 0 || typeof piece !== "string" || piece.trim() !== "",
  );
  const [tag, after = ""] = pieces;
  if (tag === undefined || typeof tag === "string" || typeof after !== "string") return null;
  if (pieces.length <= 2 && after.trim() === "") return { tag, isAlone: true };
  return /^[^\S\r\n]*[\r\n]/.test(after) ? { tag, isAlone: false } : null;
}

/** Why a picture cannot be a placeholder, and a solution; both without a full stop. */
export interface NoPlaceholder {
  readonly why: string;
  readonly hint: string;
}

/**
 * Returns why a picture cannot be a placeholder although a tag is alone in the first line of its alternative text; null
 * if it can be one, or if the tag is elsewhere.
 */
export function noPlaceholder(tag: TagNode): NoPlaceholder | null {
  const { owner } = tag;
  if (owner === null || loneTag(owner)?.tag !== tag || isSpare(owner)) return null;
  if (owner.name.startsWith("v:")) return holds(owner, "v:imagedata") ? OLD : null;
  const drawing = closest(owner, "w:drawing");
  const holder = owner.name === "pic:cNvPr" ? closest(owner, "pic:pic") : owner.parent;
  if (drawing === null || holder === null || !holds(holder, "a:blip")) return null;
  if (placeholderOf(holder) !== null || placeholderOf(drawing) !== null) return null;
  return holder.name === "pic:pic" ? OTHER : SEVERAL;
}

/** Whether an element is in the fallback that a drawing with a placeholder has for old programs. */
function isSpare(element: ElementNode): boolean {
  const fallback = closest(element, "mc:Fallback");
  return fallback !== null && standsForPlaceholder(fallback);
}

/**
 * Cached results of {@link standsForPlaceholder}. One fallback may contain thousands of tags. Trees belong to a single
 * compilation.
 */
const spares = new WeakMap<ElementNode, boolean>();

/** Whether an `mc:Fallback` is the fallback that a drawing with a placeholder has for old programs. */
export function standsForPlaceholder(fallback: ElementNode): boolean {
  let stands = spares.get(fallback);
  if (stands === undefined) {
    const choice = childNamed(fallback.parent, "mc:Choice");
    stands = choice !== null && [...descendants(choice)].some(isPlaceholder);
    spares.set(fallback, stands);
  }
  return stands;
}

function isPlaceholder(node: TemplateNode): boolean {
  if (node.kind !== "element" || !(node.name === "w:drawing" || node.name === "pic:pic"))
    return false;
  return placeholderOf(node) !== null;
}

function holds(element: ElementNode, name: string): boolean {
  for (const node of descendants(element)) {
    if (node.kind === "element" && node.name === name) return true;
  }
  return false;
}

const OLD: NoPlaceholder = {
  why: "an old (VML) picture cannot be a placeholder",
  hint: "Insert the picture again in Word, and give it the tag as its alternative text",
};

const SEVERAL: NoPlaceholder = {
  why: "a drawing with more than one picture cannot be a placeholder",
  hint: "Give the tag to the picture itself: click it within the group, or ungroup them",
};

const OTHER: NoPlaceholder = {
  why: "this picture cannot be a placeholder",
  hint: "Insert the picture again in Word, and give it the tag as its alternative text",
};

/** A box in the coordinates of its group, and the size in EMU of one unit of these coordinates. */
export interface GroupedBox {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly scaleX: number;
  readonly scaleY: number;
}

/** Returns the box of a picture in a group, from its `a:xfrm` and those of the groups around it. */
export function groupedBox(frame: ElementNode): GroupedBox {
  const own = numbersOf(frame, "a:off", "a:ext");
  let [scaleX, scaleY] = [1, 1];
  for (let at = frame.parent?.parent?.parent ?? null; at !== null; at = at.parent) {
    if (at.name === "w:drawing") break;
    const group = childNamed(childNamed(at, "wpg:grpSpPr"), "a:xfrm");
    if (group === null) continue;
    const outer = numbersOf(group, "a:off", "a:ext");
    const inner = numbersOf(group, "a:chOff", "a:chExt");
    if (outer.width > 0 && inner.width > 0) scaleX *= outer.width / inner.width;
    if (outer.height > 0 && inner.height > 0) scaleY *= outer.height / inner.height;
  }
  return { ...own, scaleX, scaleY };
}

function numbersOf(
  frame: ElementNode,
  offset: string,
  extent: string,
): { readonly x: number; readonly y: number; readonly width: number; readonly height: number } {
  const { x, y } = attributesOf(childNamed(frame, offset)?.attributes ?? "");
  const { cx, cy } = attributesOf(childNamed(frame, extent)?.attributes ?? "");
  return { x: Number(x) || 0, y: Number(y) || 0, width: Number(cx) || 0, height: Number(cy) || 0 };
}
