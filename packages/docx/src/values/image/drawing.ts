import { attributeXml } from "../text.ts";
import type { ImageValue } from "./read-image.ts";
import type { Box } from "./size.ts";

const WP = "http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing";
const A = "http://schemas.openxmlformats.org/drawingml/2006/main";
const PIC = "http://schemas.openxmlformats.org/drawingml/2006/picture";
const R = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const ASVG = "http://schemas.microsoft.com/office/drawing/2016/SVG/main";

const WPG = "http://schemas.microsoft.com/office/word/2010/wordprocessingGroup";

/** The URI of the `a:blip` extension for an SVG, which Word shows instead of the picture (MS-ODRAWXML 2.3.4.2). */
const SVG_EXTENSION = "{96DAC541-7B7A-43D3-8B79-37D633B846F1}";

/** Units of `rot` per degree. */
const ANGLE = 60_000;

/** An inline picture, and the relationships to its files. */
export interface InlineDrawing {
  /** The relationship of the drawing's part to the image, or to the PNG that replaces an SVG. */
  readonly relationshipId: string;
  /** The relationship of the same part to the SVG, or null for other images. */
  readonly svgRelationshipId: string | null;
  /** Unique among the drawings of the document. */
  readonly id: number;
  readonly name: string;
  /** The alternative text. */
  readonly description: string;
  readonly box: Box;
  readonly rotation: ImageValue["rotation"];
  readonly flip: ImageValue["flip"];
  /**
   * Whether the drawing is in a footnote, an endnote or a comment, where Word does not support groups, so that
   * {@link groupQuarterTurn} must not be used. Default false.
   */
  readonly inNote?: boolean;
}

/** Returns a `w:drawing` with an inline picture. It declares its namespaces, except for that of `w`. */
export function inlineDrawing(drawing: InlineDrawing): string {
  const picture = turnedPicture(drawing);
  return drawing.inNote === true
    ? picture
    : groupQuarterTurn(picture, drawing.box, drawing.rotation);
}

function turnedPicture(drawing: InlineDrawing): string {
  const { relationshipId, svgRelationshipId, id, box, rotation, flip } = drawing;
  const { cx, cy } = frameOf(box, rotation);
  const name = attributeXml(drawing.name);
  const described = `id="${id}" name="${name}" descr="${attributeXml(drawing.description)}"`;
  return (
    `<w:drawing><wp:inline xmlns:wp="${WP}" distT="0" distB="0" distL="0" distR="0">` +
    `<wp:extent cx="${cx}" cy="${cy}"/><wp:effectExtent l="0" t="0" r="0" b="0"/>` +
    `<wp:docPr ${described}/>` +
    `<wp:cNvGraphicFramePr><a:graphicFrameLocks xmlns:a="${A}" noChangeAspect="1"/></wp:cNvGraphicFramePr>` +
    `<a:graphic xmlns:a="${A}"><a:graphicData uri="${PIC}"><pic:pic xmlns:pic="${PIC}">` +
    `<pic:nvPicPr><pic:cNvPr ${described}/><pic:cNvPicPr/></pic:nvPicPr>` +
    `<pic:blipFill><a:blip xmlns:r="${R}" r:embed="${attributeXml(relationshipId)}">` +
    `${svgExtension(svgRelationshipId)}</a:blip>${sourceRectangle(box)}` +
    "<a:stretch><a:fillRect/></a:stretch></pic:blipFill>" +
    `<pic:spPr><a:xfrm${turnAttributes(rotation, flip)}><a:off x="0" y="0"/>` +
    `<a:ext cx="${cx}" cy="${cy}"/></a:xfrm>` +
    '<a:prstGeom prst="rect"><a:avLst/></a:prstGeom></pic:spPr>' +
    "</pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing>"
  );
}

/**
 * Returns the `cx` and `cy` of a box for `wp:extent` and for the `a:ext` of `a:xfrm`: the size of the picture before
 * its rotation. Word swaps `cx` and `cy` to lay out a picture that lies on its side.
 */
export function frameOf(
  { widthEmu, heightEmu }: Box,
  rotation: ImageValue["rotation"],
): { readonly cx: number; readonly cy: number } {
  return rotation === 90 || rotation === 270
    ? { cx: heightEmu, cy: widthEmu }
    : { cx: widthEmu, cy: heightEmu };
}

/**
 * Returns the attributes of `a:xfrm` for an image, each with a space before it. `angle` is the author's rotation of the
 * placeholder, in the units of `rot`.
 */
export function turnAttributes(
  rotation: ImageValue["rotation"],
  flip: ImageValue["flip"],
  angle = 0,
): string {
  const whole = 360 * ANGLE;
  const rot = (((angle + rotation * ANGLE) % whole) + whole) % whole;
  return (rot === 0 ? "" : ` rot="${rot}"`) + (flip === "none" ? "" : ' flipH="1"');
}

/**
 * Puts the picture of a drawing into a group if its pixels must be rotated by 90 or 270 degrees; otherwise returns
 * the drawing unchanged. Word reserves space for the rotated picture, but LibreOffice reserves space for the unrotated
 * one, so the picture covers the text next to it. Both lay out an unrotated group correctly. `drawing` has the frame
 * of {@link frameOf} and the attributes of {@link turnAttributes} without the author's `angle`, which the group
 * gets instead. Word 2007 does not show groups.
 */
export function groupQuarterTurn(
  drawing: string,
  box: Box,
  rotation: ImageValue["rotation"],
  angle = 0,
): string {
  const start = drawing.indexOf("<a:graphicData");
  const picture = drawing.indexOf(">", start) + 1;
  const end = drawing.indexOf("</a:graphicData>");
  if (rotation % 180 === 0 || start === -1 || end === -1) return drawing;
  const { cx, cy } = frameOf(box, rotation);
  const { widthEmu, heightEmu } = box;
  const size = `cx="${widthEmu}" cy="${heightEmu}"`;
  const head = drawing
    .slice(0, start)
    .replace(/<wp:extent [^>]*>(?:<\/wp:extent>)?/, `<wp:extent ${size}/>`);
  const graphic = drawing.slice(start, picture).replace(/ uri="[^"]*"/, ` uri="${WPG}"`);
  const offset = `x="${Math.round((widthEmu - cx) / 2)}" y="${Math.round((heightEmu - cy) / 2)}"`;
  return (
    `${head}${graphic}<wpg:wgp xmlns:wpg="${WPG}"><wpg:cNvGrpSpPr/><wpg:grpSpPr>` +
    `<a:xfrm${turnAttributes(0, "none", angle)}><a:off x="0" y="0"/><a:ext ${size}/>` +
    `<a:chOff x="0" y="0"/><a:chExt ${size}/></a:xfrm></wpg:grpSpPr>` +
    drawing.slice(picture, end).replace(/<a:off [^>]*>(?:<\/a:off>)?/, `<a:off ${offset}/>`) +
    `</wpg:wgp>${drawing.slice(end)}`
  );
}

/** Returns the `a:srcRect` that follows the `a:blip`, or an empty string if the whole image is shown. */
export function sourceRectangle({ crop }: Box): string {
  return crop === null
    ? ""
    : `<a:srcRect l="${crop.l}" t="${crop.t}" r="${crop.r}" b="${crop.b}"/>`;
}

/** Returns the content of the `a:blip` for an SVG, or an empty string if there is no relationship to an SVG. */
export function svgExtension(relationshipId: string | null): string {
  return relationshipId === null
    ? ""
    : `<a:extLst><a:ext uri="${SVG_EXTENSION}"><asvg:svgBlip xmlns:asvg="${ASVG}" ` +
        `xmlns:r="${R}" r:embed="${attributeXml(relationshipId)}"/></a:ext></a:extLst>`;
}
