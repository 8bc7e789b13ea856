import { childNamed, closest, type ElementNode, element, type TagNode } from "./nodes/nodes.ts";
import { addSlot, insertInOrder, mayChange } from "./nodes/properties.ts";

/**
 * Returns the shape whose text contains a tag, or null if the tag is not in a shape. Word writes each shape twice, as DrawingML and as
 * VML for old programs, with the same text. Each copy of a tag belongs to the form that it is in.
 */
export function shapeAround(tag: TagNode): ElementNode | null {
  const around = closest(tag, DRAWN, "v:textbox");
  return around?.name === "v:textbox" ? around.parent : around;
}

const DRAWN = "wps:wsp";

/** Prepares the fill of a shape, which a tag may set. */
export function fillShape(shape: ElementNode, tag: TagNode): void {
  if (shape.name === DRAWN) addSlot(propertiesOfShape(shape), "shapeFill", SHAPE_PROPERTIES, tag);
  else fillOldShape(shape, tag);
}

function propertiesOfShape(shape: ElementNode): ElementNode {
  const known = childNamed(shape, "wps:spPr");
  if (known !== null) return known;
  const made = element("wps:spPr", "");
  insertInOrder(shape, made, SHAPE_ORDER);
  return made;
}

/** The order of the elements of a shape in the schema. */
const SHAPE_ORDER = order(
  "wps:cNvPr wps:cNvSpPr wps:cNvCnPr wps:spPr wps:style wps:extLst wps:txbx wps:linkedTxbx wps:bodyPr",
);

/** The order of the properties of a shape in the schema. All fills have the same place. */
export const SHAPE_PROPERTIES = order(
  "a:xfrm a:custGeom a:prstGeom a:solidFill a:ln a:effectLst a:effectDag a:scene3d a:sp3d a:extLst",
);

function order(names: string): ReadonlyMap<string, number> {
  return new Map(names.split(" ").map((name, index) => [name, index]));
}

/** Prepares a VML shape: its fill is in attributes, and a gradient or a pattern also in an element. */
function fillOldShape(shape: ElementNode, tag: TagNode): void {
  shape.vmlFill ??= takeFill(shape);
  shape.vmlFill.tags.push(tag);
  const details = childNamed(shape, "v:fill");
  if (details !== null) mayChange(details, "vmlFillDetails", tag);
}

function takeFill(shape: ElementNode): NonNullable<ElementNode["vmlFill"]> {
  const original = shape.attributes.match(FILL)?.join("") ?? "";
  shape.attributes = shape.attributes.replace(FILL, "");
  return { tags: [], original };
}

/** Attributes with the fill. `o:gfxdata` has a copy of the whole shape as DrawingML. */
const FILL = / (?:fillcolor|filled|o:gfxdata)="[^"]*"/g;
