import type { Random } from "../../../../contracts/test/support/random.ts";
import { png } from "../../../../ooxml/test/support/pictures.ts";
import { type HandmadeEntry, handmadeZip } from "../../../../ooxml/test/support/zip.ts";

const OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const PACKAGE = "http://schemas.openxmlformats.org/package/2006";
const WORD = "application/vnd.openxmlformats-officedocument.wordprocessingml";
const DRAWING = "http://schemas.openxmlformats.org/drawingml/2006";
const MICROSOFT = "http://schemas.microsoft.com/office/word/2010";

const NAMESPACES = [
  'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"',
  `xmlns:r="${OFFICE}"`,
  `xmlns:wp="${DRAWING}/wordprocessingDrawing"`,
  `xmlns:a="${DRAWING}/main"`,
  `xmlns:pic="${DRAWING}/picture"`,
  `xmlns:wps="${MICROSOFT}/wordprocessingShape"`,
  `xmlns:wpg="${MICROSOFT}/wordprocessingGroup"`,
  `xmlns:w14="${MICROSOFT.replace("2010/wordprocessing", "2010/wordml")}"`,
  'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"',
  'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"',
  'xmlns:v="urn:schemas-microsoft-com:vml"',
  'xmlns:o="urn:schemas-microsoft-com:office:office"',
  'mc:Ignorable="w14"',
].join(" ");

const PROPERTIES = {
  "docProps/core.xml": [
    `${PACKAGE}/relationships/metadata/core-properties`,
    "application/vnd.openxmlformats-package.core-properties+xml",
  ],
  "docProps/app.xml": [
    `${OFFICE}/extended-properties`,
    "application/vnd.openxmlformats-officedocument.extended-properties+xml",
  ],
  "docProps/custom.xml": [
    `${OFFICE}/custom-properties`,
    "application/vnd.openxmlformats-officedocument.custom-properties+xml",
  ],
} as const;

/** The id of the relationship to the picture of placeholders, in every part. */
export const PICTURE_ID = "rIdPic";

/** The id of the relationship to the picture of other drawings, in every part. */
export const FIXED_PICTURE_ID = "rIdFixed";

/** Returns the id of the relationship from the main part to another story. */
export function storyId(name: string): string {
  return `rId_${name}`;
}

/** A Word file while it is written: its parts, and a counter for unique numbers. */
export class Draft {
  readonly #stories = new Map<string, string>();
  readonly #others = new Map<string, string>();
  readonly #links = new Map<string, Map<string, string>>();
  /** The content of the note parts, by kind. */
  readonly notes = { footnote: [] as string[], endnote: [] as string[], comment: [] as string[] };
  /** The headers and footers to which a section refers. */
  readonly shown = new Set<string>();
  #number = 10;

  /** Returns a unique number for a mark, a drawing or a name. */
  next(): number {
    this.#number += 1;
    return this.#number;
  }

  /** Adds a relationship from a part (its name below `word/`) to an address, and returns its id. */
  link(part: string, target: string): string {
    const links = this.#links.get(part) ?? new Map<string, string>();
    this.#links.set(part, links);
    const id = `rIdLink${links.size + 1}`;
    links.set(id, target);
    return id;
  }

  /** Moves the links of a part to another part. */
  move(from: string, to: string): void {
    const links = this.#links.get(from);
    if (links !== undefined) this.#links.set(to, links);
  }

  /** Adds a part below `word/` with a root of its kind. */
  story(name: string, root: string, xml: string): void {
    this.#stories.set(name, `<${root} ${NAMESPACES}>${xml}</${root}>`);
  }

  /** Adds a part with document properties. */
  properties(name: keyof typeof PROPERTIES, xml: string): void {
    this.#others.set(name, xml);
  }

  /** Returns the file, with entries in any order, compressed or stored. */
  bytes(random: Random): Uint8Array {
    const types: string[] = [];
    const roots = [relation("rId1", `${OFFICE}/officeDocument`, "word/document.xml")];
    const main: string[] = [];
    const entries: HandmadeEntry[] = [];
    const put = (name: string, content: string | Uint8Array): void => {
      entries.push({ name, content, method: random.oneIn(4) ? 0 : 8 });
    };
    for (const [name, xml] of this.#stories) {
      const kind = name.replace(/\d*\.xml$/, "");
      const type = kind === "document" ? "document.main" : kind;
      types.push(override(`word/${name}`, `${WORD}.${type}+xml`));
      if (kind !== "document") main.push(relation(storyId(name), `${OFFICE}/${kind}`, name));
      put(`word/${name}`, xml);
    }
    for (const [name, xml] of this.#others) {
      const [kind, type] = PROPERTIES[name as keyof typeof PROPERTIES];
      types.push(override(name, type));
      roots.push(relation(`rId${roots.length + 1}`, kind, name));
      put(name, xml);
    }
    put("word/media/image1.png", png(3, 2));
    put("word/media/image2.png", png(2, 2));
    if (random.oneIn(3)) {
      // An attached template, which rendering must remove.
      main.push(relation("rIdSet", `${OFFICE}/settings`, "settings.xml"));
      types.push(override("word/settings.xml", `${WORD}.settings+xml`));
      put(
        "word/settings.xml",
        `<w:settings ${NAMESPACES}><w:attachedTemplate r:id="rId1"/></w:settings>`,
      );
      const attached = relation("rId1", `${OFFICE}/attachedTemplate`, "file:///c:/x.dotm", OUTSIDE);
      put("word/_rels/settings.xml.rels", relationships([attached]));
    }
    for (const name of this.#stories.keys()) {
      const own = name === "document.xml" ? main : [];
      put(`word/_rels/${name}.rels`, relationships([...own, ...this.#relationsOf(name)]));
    }
    put("_rels/.rels", relationships(roots));
    const content = {
      name: "[Content_Types].xml",
      content: `<?xml version="1.0" encoding="UTF-8" standalone="yes"?><Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>${random.oneIn(9) ? '<Default Extension="PNG" ContentType="image/png"/>' : '<Default Extension="png" ContentType="image/png"/>'}${types.join("")}</Types>`,
    };
    return handmadeZip(random.oneIn(3) ? [...entries, content] : [content, ...entries]);
  }

  #relationsOf(part: string): string[] {
    const links = [...(this.#links.get(part) ?? [])];
    return [
      relation(PICTURE_ID, `${OFFICE}/image`, "media/image1.png"),
      relation(FIXED_PICTURE_ID, `${OFFICE}/image`, "media/image2.png"),
      ...links.map(([id, target]) => relation(id, `${OFFICE}/hyperlink`, target, OUTSIDE)),
    ];
  }
}

const OUTSIDE = ' TargetMode="External"';

function relation(id: string, type: string, target: string, mode = ""): string {
  return `<Relationship Id="${id}" Type="${type}" Target="${attribute(target)}"${mode}/>`;
}

function override(part: string, type: string): string {
  return `<Override PartName="/${part}" ContentType="${type}"/>`;
}

function relationships(all: readonly string[]): string {
  return `<Relationships xmlns="${PACKAGE}/relationships">${all.join("")}</Relationships>`;
}

/** Escapes text for XML. */
export function text(value: string): string {
  return value.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/** Escapes text for an attribute. */
export function attribute(value: string): string {
  return text(value).replaceAll('"', "&quot;");
}
