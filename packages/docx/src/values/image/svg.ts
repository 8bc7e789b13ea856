import { decodeBase64, startOfPayload } from "@quire/ooxml/internal/picture/base64";
import type { Outcome } from "@quire/ooxml/internal/picture/outcome";
import { isRaster, readRaster } from "@quire/ooxml/internal/picture/raster";
import { decodeText, sniff } from "@quire/ooxml/internal/picture/sniff";
import { loadsSomething, refersOutside } from "@quire/ooxml/internal/picture/svg-css";
import { escapeText } from "@quire/ooxml/internal/xml/escape";
import { attributeList } from "@quire/ooxml/internal/xml/xml";
import { SaxesParser, type SaxesTagNS } from "saxes";
import { sizeOfSvg } from "./svg-size.ts";
import { SvgWeight } from "./svg-weight.ts";

/** Maximum number of bytes of an SVG. It is low because each element costs far more than a pixel. */
const MAX_BYTES = 5_000_000;
const MAX_ELEMENTS = 100_000;
const MAX_DEPTH = 200;

const SVG = "http://www.w3.org/2000/svg";
const XLINK = "http://www.w3.org/1999/xlink";
const XML = "http://www.w3.org/XML/1998/namespace";

/** Elements to remove: scripts, animations and descriptions. A still picture looks the same without them. */
const DROPPED = new Set([
  "script",
  "handler",
  "listener",
  "animate",
  "animateColor",
  "animateMotion",
  "animateTransform",
  "set",
  "discard",
  "metadata",
]);

/** Elements to reject: they embed other documents or media, which programs show differently. */
const FOREIGN = new Set(["foreignObject", "iframe", "audio", "video", "canvas", "embed", "object"]);

/** An SVG that does not load or run anything. */
export interface SafeSvg {
  /** The SVG, rewritten from its elements, with `width` and `height` in pixels. */
  readonly svg: string;
  /** In CSS pixels, 96 per inch; greater than 0, not always an integer. */
  readonly width: number;
  readonly height: number;
  /** Whether it contains text, which needs fonts. */
  readonly hasText: boolean;
  /** The cost of drawing it, in elements: see {@link SvgWeight}. */
  readonly weight: number;
}

/**
 * Parses an SVG and writes it again with only SVG elements and attributes: no document type, scripts, events or
 * animations, and no reference outside the file except embedded PNG, JPEG and GIF images. If removing something
 * would change the picture, the SVG is rejected. Never throws.
 */
export function cleanSvg(bytes: Uint8Array): Outcome<SafeSvg> {
  if (bytes.length > MAX_BYTES) {
    return { problem: `is an SVG of more than ${MAX_BYTES / 1_000_000} MB` };
  }
  const cleaner = new SvgCleaner();
  try {
    return cleaner.clean(strictText(bytes));
  } catch (error) {
    if (error instanceof Refusal) return { problem: `is an SVG ${error.message}` };
    throw error;
  }
}

function strictText(bytes: Uint8Array): string {
  try {
    return decodeText(bytes, true);
  } catch {
    throw new Refusal("that is not written in UTF-8");
  }
}

/** Rejects an SVG. The message completes the sentence "The value is an SVG … ". */
class Refusal extends Error {}

class SvgCleaner {
  readonly #out: string[] = [];
  readonly #parser = new SaxesParser({ xmlns: true });
  /** The local names of the open elements that are kept. */
  readonly #open: string[] = [];
  #elements = 0;
  /** The number of open elements in a removed element, including that element. */
  #dropped = 0;
  #depth = 0;
  #css = "";
  readonly #weight = new SvgWeight();
  #hasText = false;
  #size: { readonly width: number; readonly height: number } | null = null;

  clean(text: string): SafeSvg {
    this.#parser.on("error", () => {
      throw new Refusal("that is not well-formed XML");
    });
    this.#parser.on("doctype", (declaration) => {
      if (declaration.includes("[")) {
        throw new Refusal("with declarations in its document type: save it as plain SVG");
      }
    });
    this.#parser.on("opentag", (tag) => this.#openTag(tag));
    this.#parser.on("closetag", () => this.#closeTag());
    this.#parser.on("text", (piece) => this.#text(piece));
    this.#parser.on("cdata", (piece) => this.#text(piece));
    this.#parser.write(text.trimStart()).close();
    if (this.#size === null) throw new Refusal("without an svg element");
    const weight = this.#weight.total();
    return { svg: this.#out.join(""), ...this.#size, hasText: this.#hasText, weight };
  }

  #openTag(tag: SaxesTagNS): void {
    this.#elements += 1;
    this.#depth += 1;
    if (this.#elements > MAX_ELEMENTS) {
      throw new Refusal(`of more than ${MAX_ELEMENTS} elements`);
    }
    if (this.#depth > MAX_DEPTH) throw new Refusal(`nested deeper than ${MAX_DEPTH} levels`);
    if (this.#dropped > 0 || !isSvg(tag) || DROPPED.has(tag.local)) {
      this.#dropped += 1;
      return;
    }
    if (FOREIGN.has(tag.local)) {
      if (this.#open.at(-1) !== "switch") {
        throw new Refusal(`with an element '${tag.local}', which Word cannot show`);
      }
      // A `switch` has an alternative to this element.
      this.#dropped += 1;
      return;
    }
    const attributes = Object.values(tag.attributes);
    this.#weight.open(
      tag.local,
      attributes.map(({ local, value }) => ({ name: local, value })),
    );
    if (this.#open.length === 0) this.#root(tag);
    else this.#write(tag.local, this.#attributes(tag));
  }

  #root(tag: SaxesTagNS): void {
    if (tag.local !== "svg") throw new Refusal("without an svg element");
    const size = sizeOfSvg((name) => tag.attributes[name]?.value);
    if (size === null) {
      throw new Refusal("without a usable size: give it width and height, or a viewBox");
    }
    this.#size = size;
    const attributes = this.#attributes(tag, new Set(["width", "height"]));
    const width = String(size.width);
    const height = String(size.height);
    this.#write(
      "svg",
      attributeList({ xmlns: SVG, "xmlns:xlink": XLINK, width, height }) + attributes,
    );
  }

  #write(local: string, attributes: string): void {
    this.#open.push(local);
    this.#out.push("<", local, attributes, ">");
  }

  #attributes(tag: SaxesTagNS, except: ReadonlySet<string> = new Set()): string {
    let list = "";
    for (const { uri, local, value } of Object.values(tag.attributes)) {
      if (uri === "" && !except.has(local) && !/^on|^href$|^src$/i.test(local)) {
        this.#check(local === "style" ? loadsSomething(value) : refersOutside(value));
        list += attributeList({ [local]: value });
      }
      if (uri === XML && (local === "space" || local === "lang")) {
        list += attributeList({ [`xml:${local}`]: value });
      }
    }
    return list + this.#reference(tag);
  }

  /** Returns the reference of an element. `href` takes precedence over `xlink:href`, as in SVG 2. */
  #reference(tag: SaxesTagNS): string {
    const all = Object.values(tag.attributes).filter(({ local }) => local === "href");
    const href = all.find(({ uri }) => uri === "") ?? all.find(({ uri }) => uri === XLINK);
    const target = href?.value.trim() ?? "";
    if (target === "" || tag.local === "a") return "";
    const isEmbedded = tag.local === "image" || tag.local === "feImage";
    this.#check(!target.startsWith("#") && !(isEmbedded && isEmbeddedRaster(target)));
    return attributeList({ "xlink:href": target });
  }

  #check(refers: boolean): void {
    if (refers) {
      throw new Refusal("that refers to something outside itself: embed it, or leave it out");
    }
  }

  #closeTag(): void {
    this.#depth -= 1;
    if (this.#dropped > 0) {
      this.#dropped -= 1;
      return;
    }
    const local = this.#open.pop();
    this.#weight.close();
    if (local === "style") {
      this.#check(loadsSomething(this.#css));
      this.#weight.style(this.#css);
      this.#css = "";
    }
    this.#out.push(`</${local}>`);
  }

  #text(piece: string): void {
    if (this.#dropped > 0 || this.#open.length === 0) return;
    if (this.#open.at(-1) === "style") this.#css += piece;
    if (!this.#hasText && this.#open.includes("text") && /\S/.test(piece)) this.#hasText = true;
    this.#weight.text(piece.length);
    this.#out.push(escapeText(piece));
  }
}

/** Elements without a namespace count as SVG, because HTML does not need one, and authors copy from HTML. */
function isSvg({ uri }: SaxesTagNS): boolean {
  return uri === SVG || uri === "";
}

/** Whether a reference contains a PNG, JPEG or GIF, judging by its bytes. */
function isEmbeddedRaster(target: string): boolean {
  const start = startOfPayload(target);
  if (start === 0) return false;
  const decoded = decodeBase64(target.replace(/[ \t]/g, ""), start);
  if ("problem" in decoded) return false;
  const type = sniff(decoded.bytes);
  // Programs that draw an SVG do not read a BMP in it.
  if (type === null || type === "bmp" || !isRaster(type)) return false;
  return !("problem" in readRaster(type, decoded.bytes));
}
