import type { DocxPackage } from "@quire/ooxml/internal/open";
import { CONTENT_TYPES_PART } from "@quire/ooxml/internal/package/content-types";
import { relationshipsPartOf } from "@quire/ooxml/internal/package/relationships";
import { NamespaceScope } from "@quire/ooxml/internal/xml/namespaces";
import { nameKey } from "@quire/ooxml/internal/xml/part-names";
import { type ScanBounds, type ScanHandler, scanXml } from "@quire/ooxml/internal/xml/scan";
import { OWN_AUTHOR } from "../template/nodes/own-comments.ts";
import { attributeXml, textXml } from "../values/text.ts";
import type { OwnPart } from "./old-comments.ts";
import { appendToRoot, numberOf, type Root, readUtf8, STRICT, XML_DECLARATION } from "./xml.ts";

const RELATIONSHIPS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const STRICT_RELATIONSHIPS = "http://purl.oclc.org/ooxml/officeDocument/relationships";
const PACKAGE = "http://schemas.openxmlformats.org/package/2006";
const COMMENTS_TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml.comments+xml";

interface Comment {
  readonly id: number;
  /** The text of each paragraph. */
  readonly paragraphs: readonly string[];
}

/** New comments of a document, in addition to its existing ones. */
export class NewComments {
  readonly #docx: DocxPackage;
  readonly #bounds: ScanBounds;
  /** The part with the comments; null if it is missing. */
  readonly #own: OwnPart | null;
  readonly #used: Set<number>;
  readonly #comments: Comment[] = [];
  #next = 0;

  /** `own`: the existing comments to keep. `used`: the ids by which the main part refers to comments. */
  constructor(
    docx: DocxPackage,
    own: OwnPart | null,
    used: ReadonlySet<number>,
    bounds: ScanBounds,
  ) {
    this.#docx = docx;
    this.#bounds = bounds;
    this.#own = own;
    this.#used = new Set(used);
    if (own === null) return;
    for (const id of commentIds(own.part, own.xml, bounds)) this.#used.add(id);
  }

  /** Adds a comment with these paragraphs. Returns its id, which is unique. */
  add(paragraphs: readonly string[]): number {
    while (this.#used.has(this.#next)) this.#next += 1;
    const id = this.#next;
    this.#next += 1;
    this.#comments.push({ id, paragraphs });
    return id;
  }

  /** Returns the parts that change because of these comments. `namespace`: the namespace of the main part. */
  parts(namespace: string): Map<string, Uint8Array> {
    const [docx, own] = [this.#docx, this.#own];
    const write = ({ declaration }: Pick<Root, "declaration">): string =>
      this.#comments.map((comment) => commentXml(comment, declaration)).join("");
    if (own !== null) {
      return new Map([[own.part, appendToRoot(own.part, own.xml, write, this.#bounds)]]);
    }
    if (this.#comments.length === 0) return new Map();
    const added = freePart(docx);
    const xml = `<w:comments xmlns:w="${namespace}">${write({ declaration: "" })}</w:comments>`;
    return new Map([
      [added, Buffer.from(XML_DECLARATION + xml)],
      relationshipsWith(docx, added, namespace === STRICT),
      contentTypesWith(docx, added),
    ]);
  }
}

/** Returns a comment as XML. It has no date, so that the same template and problems give the same bytes. */
function commentXml({ id, paragraphs }: Comment, declaration: string): string {
  const content = paragraphs.map(
    (text) => `<w:p><w:r><w:t xml:space="preserve">${textXml(text)}</w:t></w:r></w:p>`,
  );
  return `<w:comment${declaration} w:id="${id}" ${OWN_AUTHOR}>${content.join("")}</w:comment>`;
}

function commentIds(part: string, xml: Buffer, bounds: ScanBounds): number[] {
  const scope = new NamespaceScope();
  const ids: number[] = [];
  const handler: ScanHandler = {
    open(tag) {
      if (tag.declares) scope.enter(tag.depth, tag.attributes());
      const id = scope.element(tag.name) === "w:comment" ? numberOf(scope, tag, "w:id") : null;
      if (id !== null) ids.push(id);
      if (tag.empty) scope.leave(tag.depth);
    },
    close: (depth) => scope.leave(depth),
  };
  scanXml(part, xml, handler, bounds);
  return ids;
}

/** Returns an unused name for a comments part, in the folder of the main part. */
function freePart(docx: DocxPackage): string {
  const { mainPart, contentTypesXml } = docx;
  const folder = mainPart.slice(0, mainPart.lastIndexOf("/") + 1);
  const types = nameKey(contentTypesXml);
  for (let number = 1; ; number += 1) {
    const part = `${folder}comments${number === 1 ? "" : number}.xml`;
    if (!docx.has(part) && !types.includes(nameKey(`/${part}"`))) return part;
  }
}

type Part = readonly [name: string, content: Buffer];

/** Returns the relationships of the main part, with a new one to `target`. */
function relationshipsWith(docx: DocxPackage, target: string, isStrict: boolean): Part {
  const name = relationshipsPartOf(docx.mainPart);
  const part = docx.parts.find((other) => nameKey(other) === nameKey(name));
  const xml =
    part === undefined
      ? Buffer.from(`${XML_DECLARATION}<Relationships xmlns="${PACKAGE}/relationships"/>`)
      : readUtf8(docx, part);
  const ids = new Set(docx.relationshipsOf(docx.mainPart).map(({ id }) => id));
  let number = 1;
  while (ids.has(`rIdQuire${number}`)) number += 1;
  const type = `${isStrict ? STRICT_RELATIONSHIPS : RELATIONSHIPS}/comments`;
  const attributes = `Id="rIdQuire${number}" Type="${type}" Target="${attributeXml(`/${target}`)}"`;
  const write = ({ prefix }: Root): string => `<${prefix}Relationship ${attributes}/>`;
  return [part ?? name, appendToRoot(part ?? name, xml, write)];
}

/** Returns the content types of the package, with an entry for a part with comments. */
function contentTypesWith(docx: DocxPackage, part: string): Part {
  const name =
    docx.parts.find((other) => nameKey(other) === nameKey(CONTENT_TYPES_PART)) ??
    CONTENT_TYPES_PART;
  const attributes = `PartName="${attributeXml(`/${part}`)}" ContentType="${COMMENTS_TYPE}"`;
  const write = ({ prefix }: Root): string => `<${prefix}Override ${attributes}/>`;
  return [name, appendToRoot(name, readUtf8(docx, name), write)];
}
