import { escapeAttribute, escapeText } from "@quire/ooxml/internal/xml/escape";
import { SaxesParser, type SaxesTagNS } from "saxes";

/** Properties to set in the XMP metadata of a document. Undefined properties do not change. */
export interface XmpProperties {
  readonly title: string | undefined;
  readonly author: string | undefined;
  readonly subject: string | undefined;
  readonly keywords: string | undefined;
  /** Creation and modification date, as an ISO 8601 instant. */
  readonly date: string;
}

const RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#";
const DC = "http://purl.org/dc/elements/1.1/";
const PDF = "http://ns.adobe.com/pdf/1.3/";
const XMP = "http://ns.adobe.com/xap/1.0/";

/** Replaces these properties in the metadata. Returns null if the metadata cannot be read. */
export function writeXmp(source: string, properties: XmpProperties): string | null {
  const writer = new XmpWriter(properties);
  const parser = new SaxesParser({ xmlns: true });
  let isRead = true;
  const refuse = (): void => {
    isRead = false;
  };
  parser.on("error", refuse);
  parser.on("doctype", refuse);
  parser.on("processinginstruction", ({ target, body }) =>
    writer.raw(`<?${target}${body === "" ? "" : ` ${body}`}?>`),
  );
  parser.on("opentag", (tag) => writer.open(tag));
  parser.on("closetag", (tag) => writer.close(tag));
  for (const kind of ["text", "cdata"] as const) {
    parser.on(kind, (text) => writer.raw(escapeText(text)));
  }
  try {
    parser.write(source.replace(/^\ufeff/, "")).close();
  } catch {
    return null;
  }
  return isRead && writer.isComplete ? writer.text : null;
}

/** Maximum nesting depth of XMP elements. */
const MAX_DEPTH = 100;

class XmpWriter {
  text = "";
  /** Whether the properties have been written. */
  isComplete = false;
  readonly #properties: XmpProperties;
  readonly #replaced: ReadonlySet<string>;
  readonly #around: SaxesTagNS[] = [];
  /** The depth of the element being skipped, or 0. */
  #skipped = 0;
  /** The value of `rdf:about` in the metadata. */
  #about = "";

  constructor(properties: XmpProperties) {
    this.#properties = properties;
    const { title, author, subject, keywords } = properties;
    const given: [string, string | undefined][] = [
      [`${DC}title`, title],
      [`${DC}creator`, author],
      [`${DC}description`, subject],
      [`${PDF}Keywords`, keywords],
      [`${XMP}CreateDate`, ""],
      [`${XMP}ModifyDate`, ""],
      [`${XMP}MetadataDate`, ""],
    ];
    this.#replaced = new Set(given.flatMap(([name, value]) => (value === undefined ? [] : [name])));
  }

  raw(text: string): void {
    if (this.#skipped === 0) this.text += text;
  }

  open(tag: SaxesTagNS): void {
    const parent = this.#around.at(-1);
    this.#around.push(tag);
    if (this.#around.length > MAX_DEPTH) throw new Error("The metadata is nested too deeply.");
    const isDescription = isRdf(tag, "Description");
    const isProperty = parent !== undefined && isRdf(parent, "Description");
    if (this.#skipped > 0) return;
    if (isProperty && this.#replaced.has(tag.uri + tag.local)) {
      this.#skipped = this.#around.length;
      return;
    }
    let attributes = "";
    for (const { name, value, uri, local } of Object.values(tag.attributes)) {
      if (isDescription && uri === RDF && local === "about") this.#about = value;
      if (isDescription && this.#replaced.has(uri + local)) continue;
      attributes += ` ${name}="${escapeAttribute(value)}"`;
    }
    this.text += `<${tag.name}${attributes}>`;
  }

  close(tag: SaxesTagNS): void {
    const depth = this.#around.length;
    this.#around.pop();
    if (this.#skipped > 0) {
      if (this.#skipped === depth) this.#skipped = 0;
      return;
    }
    if (isRdf(tag, "RDF") && !this.isComplete) {
      this.text += this.#description(tag.prefix);
      this.isComplete = true;
    }
    this.text += `</${tag.name}>`;
  }

  #description(prefix: string): string {
    const { title, author, subject, keywords, date } = this.#properties;
    const rdf = prefix === "" ? "" : `${prefix}:`;
    const list = (
      name: string,
      kind: string,
      language: string,
      text: string | undefined,
    ): string =>
      text === undefined
        ? ""
        : `<dc:${name}><${rdf}${kind}><${rdf}li${language}>${escapeText(text)}</${rdf}li></${rdf}${kind}></dc:${name}>`;
    const anyLanguage = ' xml:lang="x-default"';
    const about = prefix === "" ? "" : ` ${rdf}about="${escapeAttribute(this.#about)}"`;
    return [
      `<${rdf}Description${about} xmlns:dc="${DC}" xmlns:pdf="${PDF}" xmlns:xmp="${XMP}">`,
      list("title", "Alt", anyLanguage, title),
      list("creator", "Seq", "", author),
      list("description", "Alt", anyLanguage, subject),
      keywords === undefined ? "" : `<pdf:Keywords>${escapeText(keywords)}</pdf:Keywords>`,
      `<xmp:CreateDate>${date}</xmp:CreateDate><xmp:ModifyDate>${date}</xmp:ModifyDate>`,
      `<xmp:MetadataDate>${date}</xmp:MetadataDate></${rdf}Description>`,
    ].join("");
  }
}

function isRdf({ uri, local }: SaxesTagNS, name: string): boolean {
  return uri === RDF && local === name;
}
