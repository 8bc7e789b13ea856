import { crc32, deflateRawSync } from "node:zlib";

/** An entry of a handmade zip. Omitted values are computed correctly; other values may be wrong. */
export interface HandmadeEntry {
  readonly name: string | Buffer;
  readonly content?: string | Uint8Array;
  /** 0 stores the content; all other values deflate it. Default 8. */
  readonly method?: number;
  readonly flags?: number;
  /** The extra field of the directory. */
  readonly extra?: Buffer;
  /** The values in the directory, and in the local header unless `local` overrides them. */
  readonly crc32?: number;
  readonly size?: number;
  readonly compressedSize?: number;
  readonly local?: {
    readonly name?: string;
    readonly method?: number;
    readonly crc32?: number;
    readonly size?: number;
    readonly compressedSize?: number;
  };
  /** The number of another entry whose header and bytes this entry shares. */
  readonly sharedWith?: number;
  /** Deflated bytes, if already known. */
  readonly raw?: Uint8Array;
}

/** Returns a zip of these entries. `count` is the declared number of entries. */
export function handmadeZip(
  entries: readonly HandmadeEntry[],
  { count = entries.length, after = "" }: { count?: number; after?: string } = {},
): Uint8Array {
  const files: Buffer[] = [];
  const directory: Buffer[] = [];
  const offsets: number[] = [];
  let offset = 0;
  for (const entry of entries) {
    const name = Buffer.from(entry.name);
    const content = Buffer.from(entry.content ?? "");
    const method = entry.method ?? 8;
    const raw = entry.raw ?? (method === 0 ? content : deflateRawSync(content));
    const facts = {
      method,
      crc32: entry.crc32 ?? crc32(content),
      compressedSize: entry.compressedSize ?? raw.length,
      size: entry.size ?? content.length,
    };
    const start = entry.sharedWith === undefined ? offset : (offsets[entry.sharedWith] ?? 0);
    offsets.push(start);
    if (entry.sharedWith === undefined) {
      const localName = Buffer.from(entry.local?.name ?? name);
      const header = Buffer.alloc(30);
      header.writeUInt32LE(0x04034b50, 0);
      writeFacts(header, 4, entry.flags, { ...facts, ...entry.local }, localName);
      files.push(header, localName, Buffer.from(raw));
      offset += header.length + localName.length + raw.length;
    }
    const header = Buffer.alloc(46);
    header.writeUInt32LE(0x02014b50, 0);
    header.writeUInt16LE(20, 4);
    writeFacts(header, 6, entry.flags, facts, name);
    header.writeUInt32LE(start, 42);
    const extra = entry.extra ?? Buffer.alloc(0);
    header.writeUInt16LE(extra.length, 30);
    directory.push(header, name, extra);
  }
  const list = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(count & 0xffff, 8);
  end.writeUInt16LE(count & 0xffff, 10);
  end.writeUInt32LE(list.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...files, list, end, Buffer.from(after)]);
}

interface Facts {
  readonly method: number;
  readonly crc32: number;
  readonly compressedSize: number;
  readonly size: number;
}

function writeFacts(header: Buffer, at: number, flags = 0, facts: Facts, name: Buffer): void {
  header.writeUInt16LE(20, at);
  header.writeUInt16LE(flags, at + 2);
  header.writeUInt16LE(facts.method, at + 4);
  header.writeUInt32LE(facts.crc32, at + 10);
  header.writeUInt32LE(facts.compressedSize, at + 14);
  header.writeUInt32LE(facts.size, at + 18);
  header.writeUInt16LE(name.length, at + 22);
}

const OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const WORD = "application/vnd.openxmlformats-officedocument.wordprocessingml";

/** Declarations of Word's namespaces. */
export const NAMESPACES = [
  'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"',
  `xmlns:r="${OFFICE}"`,
  'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"',
  'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"',
  'xmlns:v="urn:schemas-microsoft-com:vml"',
  'xmlns:o="urn:schemas-microsoft-com:office:office"',
].join(" ");

/** A relationship of a test package: its kind or full type, its target, and its mode. */
export type TestRelationship = readonly [kind: string, target: string, mode?: "External"];

/** The content of a test package. */
export interface TestPackage {
  /** The content of `w:body`. */
  readonly body?: string;
  /** Complete parts by name. They replace generated parts. */
  readonly parts?: Readonly<Record<string, string | Uint8Array>>;
  /** The relationships of a part; `""` is the package. Ids are rId1, rId2 … in order; `rId0` is the document. */
  readonly relationships?: Readonly<Record<string, readonly TestRelationship[]>>;
  /** Content types of parts. */
  readonly types?: Readonly<Record<string, string>>;
  /** XML that is added unchanged to the content types. */
  readonly moreTypes?: string;
  readonly mainType?: string;
}

/** Returns the entries of a test package, in the order in which Word writes them. */
export function entriesOf(test: TestPackage): HandmadeEntry[] {
  const types = {
    "word/document.xml": test.mainType ?? `${WORD}.document.main+xml`,
    ...test.types,
  };
  const overrides = Object.entries(types)
    .map(([part, type]) => `<Override PartName="/${part}" ContentType="${type}"/>`)
    .join("");
  const own = {
    "[Content_Types].xml": `<?xml version="1.0" encoding="UTF-8" standalone="yes"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>${test.moreTypes ?? ""}${overrides}</Types>`,
    "_rels/.rels": relationshipsXml([
      ["rId0", "officeDocument", "word/document.xml"],
      ...numbered(test.relationships?.[""] ?? []),
    ]),
    "word/document.xml": `<w:document ${NAMESPACES}><w:body>${test.body ?? "<w:p/>"}<w:sectPr/></w:body></w:document>`,
  };
  const relationships = Object.entries(test.relationships ?? {}).flatMap(([part, list]) => {
    const slash = part.lastIndexOf("/") + 1;
    const name = `${part.slice(0, slash)}_rels/${part.slice(slash)}.rels`;
    return part === "" ? [] : [[name, relationshipsXml(numbered(list))] as const];
  });
  const parts = { ...own, ...Object.fromEntries(relationships), ...test.parts };
  return Object.entries(parts).map(([name, content]) => ({ name, content }));
}

/** Returns a package of these parts. */
export function testPackage(test: TestPackage): Uint8Array {
  return handmadeZip(entriesOf(test));
}

type Numbered = readonly [id: string, ...TestRelationship];

function numbered(list: readonly TestRelationship[]): Numbered[] {
  return list.map((relationship, index) => [`rId${index + 1}`, ...relationship]);
}

function relationshipsXml(list: readonly Numbered[]): string {
  const items = list.map(([id, kind, target, mode]) => {
    const type = kind.includes(":") ? kind : `${OFFICE}/${kind}`;
    const where = mode === undefined ? "" : ` TargetMode="${mode}"`;
    return `<Relationship Id="${id}" Type="${type}" Target="${target}"${where}/>`;
  });
  return `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${items.join("")}</Relationships>`;
}
