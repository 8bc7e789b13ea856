import type { Box } from "../fit/box.ts";
import { attributesOf, childNamed, closest, descendants, type ElementNode } from "./nodes/nodes.ts";

/** Why it is not known how much text a cell or a text box can hold. */
export type BoxProblem = "no width" | "no size" | "grows" | "turned" | "covers" | "given width";

/** Returns the room in a text box. `content`: its `w:txbxContent`. */
export function textBoxAround(content: ElementNode): Box | BoxProblem {
  const shown = newForm(content);
  const drawn = closest(shown, "wps:wsp", "v:textbox");
  if (drawn?.name === "wps:wsp") return drawnBox(drawn);
  return drawn === null ? "no size" : oldBox(drawn);
}

/**
 * Returns the content of the same text box as DrawingML. Word writes each text box a second time, as VML for old programs.
 * Without another form, returns the content itself.
 */
export function newForm(content: ElementNode): ElementNode {
  const old = closest(content, "mc:Fallback");
  const choice = old === null ? null : childNamed(old.parent, "mc:Choice");
  if (old === null || choice === null) return content;
  const [mine, theirs] = [contentsOf(old), contentsOf(choice)];
  const same = mine.length === theirs.length ? theirs[mine.indexOf(content)] : undefined;
  return same ?? content;
}

function contentsOf(around: ElementNode): ElementNode[] {
  return [...descendants(around)].filter(
    (node): node is ElementNode => node.kind === "element" && node.name === "w:txbxContent",
  );
}

const EMU_PER_TWIP = 635;

/** The usual margins of a text box, in EMU. */
const [USUAL_SIDE, USUAL_TOP] = [91_440, 45_720];

function drawnBox(shape: ElementNode): Box | BoxProblem {
  const body = childNamed(shape, "wps:bodyPr");
  const { vert = "horz", wrap, ...given } = attributesOf(body?.attributes ?? "");
  if (vert !== "horz") return "turned";
  if (childNamed(body, "a:spAutoFit") !== null) return "grows";
  const size = sizeOf(shape);
  if (size === null) return "no size";
  const { side, top } = insetOf(shape, size);
  const inset = (name: string, usual: number): number => {
    const own = Number(given[name] ?? usual);
    return Number.isFinite(own) ? own : usual;
  };
  return {
    width: size.width / EMU_PER_TWIP,
    height: size.height / EMU_PER_TWIP,
    margins: {
      left: (inset("lIns", USUAL_SIDE) + side) / EMU_PER_TWIP,
      right: (inset("rIns", USUAL_SIDE) + side) / EMU_PER_TWIP,
      top: (inset("tIns", USUAL_TOP) + top) / EMU_PER_TWIP,
      bottom: (inset("bIns", USUAL_TOP) + top) / EMU_PER_TWIP,
    },
    wraps: wrap !== "none",
    isRough: !KNOWN_FORMS.has(formOf(shape)),
    table: null,
  };
}

interface Size {
  readonly width: number;
  readonly height: number;
}

/** Returns the size of a shape in EMU; null if it is not known. */
function sizeOf(shape: ElementNode): Size | null {
  const own = extentOf(childNamed(shape, "wps:spPr"), "a:ext");
  if (own === null) return null;
  let { width, height } = own;
  // The shapes of a group have the group's own units.
  for (let at = shape.parent; at !== null && at.name !== "w:drawing"; at = at.parent) {
    if (at.name !== "wpg:grpSp" && at.name !== "wpg:wgp") continue;
    const properties = childNamed(at, "wpg:grpSpPr");
    const [outer, inner] = [extentOf(properties, "a:ext"), extentOf(properties, "a:chExt")];
    if (outer === null || inner === null) continue;
    width *= outer.width / inner.width;
    height *= outer.height / inner.height;
  }
  return { width, height };
}

function extentOf(properties: ElementNode | null, name: "a:ext" | "a:chExt"): Size | null {
  const { cx, cy } = attributesOf(
    childNamed(childNamed(properties, "a:xfrm"), name)?.attributes ?? "",
  );
  const [width, height] = [Number(cx), Number(cy)];
  return width > 0 && height > 0 ? { width, height } : null;
}

/** The corners of a rounded rectangle, if the shape does not set them, as a part of 100,000 of its shorter side. */
const USUAL_CORNER = 16_667;

/** Returns how far the text of a shape is from its edges, in EMU, in addition to its margins (ECMA-376 part 1, 20.1.10.55). */
function insetOf(shape: ElementNode, { width, height }: Size): { side: number; top: number } {
  const geometry = childNamed(childNamed(shape, "wps:spPr"), "a:prstGeom");
  const prst = formOf(shape);
  if (prst === "ellipse") {
    const part = (1 - Math.SQRT1_2) / 2;
    return { side: width * part, top: height * part };
  }
  if (prst !== "roundRect") return { side: 0, top: 0 };
  const guide = childNamed(childNamed(geometry, "a:avLst"), "a:gd");
  const written = / fmla="val (\d{1,6})"/.exec(guide?.attributes ?? "")?.[1];
  const corner = Math.min(Number(written ?? USUAL_CORNER), 50_000) / 100_000;
  const inset = Math.min(width, height) * corner * (1 - Math.SQRT1_2);
  return { side: inset, top: inset };
}

/** Returns the form of a shape; empty if the template draws its own. */
function formOf(shape: ElementNode): string {
  const properties = childNamed(shape, "wps:spPr");
  if (childNamed(properties, "a:custGeom") !== null) return "";
  return attributesOf(childNamed(properties, "a:prstGeom")?.attributes ?? "").prst ?? "rect";
}

/** The forms whose room for text is known. */
const KNOWN_FORMS: ReadonlySet<string> = new Set([
  "rect",
  "roundRect",
  "ellipse",
  "flowChartProcess",
]);

/** Returns the room in a text box of VML. */
function oldBox(textBox: ElementNode): Box | BoxProblem {
  const { style = "", inset = "" } = attributesOf(textBox.attributes);
  if (/mso-fit-shape-to-text: ?t/.test(style)) return "grows";
  if (/layout-flow: ?vertical/.test(style)) return "turned";
  const shape = textBox.parent;
  const own = attributesOf(shape?.attributes ?? "").style ?? "";
  const [width, height] = [lengthIn(own, "width"), lengthIn(own, "height")];
  if (width === null || height === null || closest(shape, "v:group") !== null) return "no size";
  const [left = "", top = "", right = "", bottom = ""] = inset.split(",");
  return {
    width,
    height,
    margins: {
      left: twipsOf(left) ?? USUAL_SIDE / EMU_PER_TWIP,
      right: twipsOf(right) ?? USUAL_SIDE / EMU_PER_TWIP,
      top: twipsOf(top) ?? USUAL_TOP / EMU_PER_TWIP,
      bottom: twipsOf(bottom) ?? USUAL_TOP / EMU_PER_TWIP,
    },
    wraps: !/mso-wrap-style: ?none/.test(own),
    isRough: shape?.name === "v:oval",
    table: null,
  };
}

function lengthIn(style: string, name: "width" | "height"): number | null {
  const written = new RegExp(`(?:^|;) ?${name}: ?([^;]+)`).exec(style)?.[1] ?? "";
  const twips = twipsOf(written);
  return twips !== null && twips > 0 ? twips : null;
}

/** Returns a length of VML in twentieths of a point; null if it has no unit, which means pixels or the units of a group. */
function twipsOf(length: string): number | null {
  const [, number = "", unit = ""] =
    /^\s*(\d{1,6}(?:\.\d{1,6})?)(pt|in|cm|mm|px)?\s*$/.exec(length) ?? [];
  if (number === "") return null;
  if (unit === "") return Number(number) === 0 ? 0 : null;
  return Number(number) * (TWIPS.get(unit) ?? 0);
}

const TWIPS: ReadonlyMap<string, number> = new Map([
  ["pt", 20],
  ["in", 1440],
  ["cm", 1440 / 2.54],
  ["mm", 144 / 2.54],
  ["px", 15],
]);
