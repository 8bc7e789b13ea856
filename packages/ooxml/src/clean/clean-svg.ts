import { malformed } from "../limits/refusal.ts";
import { decodeBase64, startOfPayload } from "../picture/base64.ts";
import { loadsSomething, refersOutside } from "../picture/svg-css.ts";
import { Edits } from "../xml/edits.ts";
import { type ScanBounds, type ScanHandler, scanXml } from "../xml/scan.ts";
import { standsAt } from "../xml/scan-names.ts";
import { localName, type ScannedAttribute, type ScannedTag } from "../xml/scan-tag.ts";
import { unescapedText } from "../xml/unescape.ts";
import type { RemovalCode, Removals } from "./removals.ts";

/** Cleans a picture within an SVG. Returns the same bytes if it is safe, or null to remove it. */
export type CleanInner = (picture: Uint8Array) => Uint8Array | null;

/**
 * Checks an SVG picture, and removes anything that would load or run something: links to other pictures and style
 * sheets, scripts, embedded documents. Also removes the document type declaration that drawing programs write. Returns
 * the changed text, or null when nothing changes.
 */
export function cleanSvg(
  part: string,
  xml: Buffer,
  removals: Removals,
  bounds: ScanBounds,
  cleanInner: CleanInner,
): Buffer | null {
  const cleaner = new SvgCleaner(part, xml, removals, cleanInner);
  scanXml(part, xml, cleaner, bounds);
  return cleaner.finish();
}

/** Elements of SVG, and of HTML within it, that are removed with their content. */
const REMOVED_ELEMENTS: ReadonlyMap<string, RemovalCode> = new Map([
  ["script", "removed_macros"],
  ["handler", "removed_macros"],
  ["listener", "removed_macros"],
  ["foreignobject", "removed_external_link"],
  ["iframe", "removed_external_link"],
  ["object", "removed_external_link"],
  ["embed", "removed_external_link"],
  ["audio", "removed_external_link"],
  ["video", "removed_external_link"],
]);

/** Elements that set an attribute of another element. */
const ANIMATIONS: ReadonlySet<string> = new Set(["set", "animate"]);

/** The first characters of an address, with the spaces and control characters between them, which browsers ignore. */
const ADDRESS_START = /^(?:[\0-\x20]*[^\0-\x20]){0,11}/;

/** Maximum length of an attribute with a CSS function. A longer one is removed as an attack. */
const MAX_STYLE = 100_000;

/** Maximum length of a style sheet. An SVG with a longer one is rejected as an attack. */
const MAX_STYLES = 1_000_000;

class SvgCleaner implements ScanHandler {
  readonly #part: string;
  readonly #xml: Buffer;
  readonly #removals: Removals;
  readonly #cleanInner: CleanInner;
  readonly #edits = new Edits();
  /** The element that is being removed, and its start. */
  #removing: { readonly depth: number; readonly start: number } | null = null;
  /** The style sheet that is being read. */
  #style: { readonly depth: number; readonly start: number; css: string } | null = null;

  constructor(part: string, xml: Buffer, removals: Removals, cleanInner: CleanInner) {
    this.#part = part;
    this.#xml = xml;
    this.#removals = removals;
    this.#cleanInner = cleanInner;
  }

  doctype(start: number, end: number): void {
    this.#edits.remove(start, end);
  }

  instruction(start: number, end: number): void {
    if (!standsAt(this.#xml, start, "<?xml-stylesheet")) return;
    this.#edits.remove(start, end);
    this.#note("removed_remote_image");
  }

  open(tag: ScannedTag): void {
    if (this.#removing !== null) return;
    const { depth, start, end, empty } = tag;
    const name = localName(tag.name).toLowerCase();
    const attributes = tag.attributes();
    const code = REMOVED_ELEMENTS.get(name) ?? animationOf(name, attributes);
    if (code !== null) {
      this.#note(code, name);
      if (empty) this.#edits.remove(start, end);
      else this.#removing = { depth, start };
      return;
    }
    if (name === "style" && !empty && this.#style === null) this.#style = { depth, start, css: "" };
    for (const attribute of attributes) this.#attribute(name, attribute);
  }

  text(from: number, to: number, literal: boolean): void {
    const style = this.#style;
    if (style === null || this.#removing !== null) return;
    if (style.css.length + to - from > MAX_STYLES) {
      throw malformed(this.#part, `it has a style sheet of more than ${MAX_STYLES} bytes`);
    }
    style.css += literal
      ? this.#xml.toString("utf8", from, to)
      : unescapedText(this.#xml, from, to);
  }

  close(depth: number, _start: number, end: number): void {
    if (this.#removing?.depth === depth) {
      this.#edits.remove(this.#removing.start, end);
      this.#removing = null;
    }
    const style = this.#style;
    if (style?.depth !== depth) return;
    if (loadsSomething(style.css)) {
      this.#edits.remove(style.start, end);
      this.#note("removed_remote_image");
    }
    this.#style = null;
  }

  finish(): Buffer | null {
    return this.#edits.isEmpty ? null : this.#edits.applyTo(this.#xml);
  }

  #attribute(element: string, { name, value, start, end }: ScannedAttribute): void {
    if (name.startsWith("xmlns")) return;
    const payload = isReference(element, name) ? startOfPayload(value) : 0;
    if (payload > 0) {
      this.#embedded(name, value, payload, start, end);
      return;
    }
    const code = removalOf(element, name.toLowerCase(), value);
    if (code === null) return;
    this.#edits.remove(start, end);
    this.#note(code, name);
  }

  /** Handles a picture in an attribute. Readers go by its bytes and ignore the media type. */
  #embedded(name: string, value: string, payload: number, start: number, end: number): void {
    const decoded = decodeBase64(value, payload);
    const given = "problem" in decoded ? null : decoded.bytes;
    const kept = given === null ? null : this.#cleanInner(given);
    if (kept === null) {
      this.#edits.remove(start, end);
      this.#note("removed_picture", `${this.#part}: ${name}`);
    } else if (kept !== given) {
      const base64 = Buffer.from(kept).toString("base64");
      this.#edits.replace(start, end, `${name}="data:image/svg+xml;base64,${base64}"`);
    }
  }

  #note(code: RemovalCode, name = ""): void {
    this.#removals.add(code, this.#part, name);
  }
}

/** Returns why an element that animates another is not allowed in a picture, or null if it is allowed. */
function animationOf(name: string, attributes: readonly ScannedAttribute[]): RemovalCode | null {
  if (!ANIMATIONS.has(name)) return null;
  const changed = attributes.find((attribute) => attribute.name === "attributeName")?.value.trim();
  return changed !== undefined && /(?:^|:)(?:href|src|style|on\w*)$/i.test(changed)
    ? "removed_macros"
    : null;
}

/** Returns why an attribute, in lowercase, is not allowed on an element, or null if it is allowed. */
function removalOf(element: string, name: string, value: string): RemovalCode | null {
  if (name.startsWith("on")) return "removed_macros";
  // This attribute would turn a reference within the file into a reference to another file.
  if (name === "xml:base") return "removed_remote_image";
  const attribute = localName(name);
  if (attribute === "href" && element === "a") {
    // Only a reader's click follows this link. It must not be a script, or have a line end in its scheme.
    const address = (ADDRESS_START.exec(value)?.[0] ?? "").replace(/[\0-\x20]/g, "");
    return /^(?:javascript|data|vbscript):/i.test(address) ? "removed_macros" : null;
  }
  if (isReference(element, name)) {
    if (!isWithin(value)) return "removed_remote_image";
    // This would show the file as a picture within itself. No program supports that, and LibreOffice crashes if the
    // picture contains the element.
    return element === "image" && value.trim() !== "" ? "removed_picture" : null;
  }
  // Path data has no brackets, and other values with brackets are shorter.
  if (value.length > MAX_STYLE && value.includes("(")) return "removed_remote_image";
  const loads = attribute === "style" ? loadsSomething(value) : refersOutside(value);
  return loads ? "removed_remote_image" : null;
}

/** Whether an attribute refers to content that the element shows. */
function isReference(element: string, name: string): boolean {
  const attribute = localName(name).toLowerCase();
  return attribute === "src" || (attribute === "href" && element !== "a");
}

/** Whether a reference is to an element of the same file. */
function isWithin(reference: string): boolean {
  const target = reference.trim();
  return target === "" || target.startsWith("#");
}
