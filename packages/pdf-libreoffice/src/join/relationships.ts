import { refuse } from "./refusal.ts";
import type { TagReader } from "./tags.ts";

/** A relationship as written: escapes are not decoded. */
export interface Relation {
  /** The last segment of its type, for example `header`. */
  readonly kind: string;
  readonly target: string;
  readonly external: boolean;
}

/** The content types of a package's parts. */
export interface ContentTypes {
  /** By extension, in lower case. */
  readonly defaults: ReadonlyMap<string, string>;
  /** By name, with a leading slash. */
  readonly overrides: ReadonlyMap<string, string>;
}

const DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
const PACKAGE = "http://schemas.openxmlformats.org/package/2006/relationships";
const TYPES = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/";

/** Reads the relationships of a part, by id. Refuses external targets other than links. */
export function readRelations(xml: string, tags: TagReader): ReadonlyMap<string, Relation> {
  const relations = new Map<string, Relation>();
  for (const values of elementsIn(xml, "Relationship", tags)) {
    const [id, type, target] = [values("Id"), values("Type"), values("Target")];
    const kind = type.slice(type.lastIndexOf("/") + 1);
    const external = values("TargetMode").toLowerCase() === "external";
    const outside = /[:\\?#%&]/.test(target) || target.lastIndexOf("../") > 0;
    if (external ? type !== `${TYPES}hyperlink` : outside) {
      refuse(`a relationship to something outside (${kind.slice(0, 40)})`);
    }
    if (OWN_KINDS.has(kind) && type !== TYPES + kind) refuse("an unusual kind of relationships");
    if (relations.has(id)) refuse("two relationships with one id");
    relations.set(id, { kind, target, external });
  }
  return relations;
}

/** The kinds of relationships that may differ between entries. */
export const OWN_KINDS: ReadonlySet<string> = new Set(["header", "footer", "image", "hyperlink"]);

/** Returns the XML of a relationship. */
export function writeRelation(id: string, { kind, target, external }: Relation): string {
  const mode = external ? ' TargetMode="External"' : "";
  return `<Relationship Id="${id}" Type="${TYPES}${kind}" Target="${target}"${mode}/>`;
}

/** Returns the XML of a relationships part with these relationships. */
export function writeRelations(relations: readonly (readonly [string, Relation])[]): string {
  const lines = relations.map(([id, relation]) => writeRelation(id, relation));
  return `${DECLARATION}<Relationships xmlns="${PACKAGE}">${lines.join("")}</Relationships>`;
}

/** Returns the name of the relationships part of a part; `""` is the package itself. */
export function relationsPartOf(part: string): string {
  const slash = part.lastIndexOf("/") + 1;
  return `${part.slice(0, slash)}_rels/${part.slice(slash)}.rels`;
}

/** Returns the name of the part that a relationship of `owner` points to. */
export function targetOf(owner: string, { target }: Relation): string {
  if (target.startsWith("/")) return target.slice(1);
  const folder = owner.slice(0, owner.lastIndexOf("/") + 1);
  if (!target.startsWith("../")) return folder + target.replace(/^\.\//, "");
  return folder.slice(0, folder.lastIndexOf("/", folder.length - 2) + 1) + target.slice(3);
}

/** Reads `[Content_Types].xml`. */
export function readContentTypes(xml: string, tags: TagReader): ContentTypes {
  const defaults = new Map<string, string>();
  const overrides = new Map<string, string>();
  for (const values of elementsIn(xml, "Default", tags)) {
    defaults.set(values("Extension").toLowerCase(), values("ContentType"));
  }
  for (const values of elementsIn(xml, "Override", tags)) {
    overrides.set(values("PartName"), values("ContentType"));
  }
  return { defaults, overrides };
}

/** Returns the content type of a part; `""` if the package declares none. */
export function typeOf({ defaults, overrides }: ContentTypes, part: string): string {
  const extension = part.slice(part.lastIndexOf(".") + 1).toLowerCase();
  return overrides.get(`/${part}`) ?? defaults.get(extension) ?? "";
}

/** Returns the value of an attribute; `""` if the attribute is missing. */
type Values = (attribute: string) => string;

function* elementsIn(xml: string, name: string, tags: TagReader): Generator<Values> {
  const start = `<${name}`;
  for (let at = xml.indexOf(start); at !== -1; at = xml.indexOf(start, at + 1)) {
    const tag = tags.read(xml, at);
    if (tag.name === name) yield (attribute) => tag.attributes.get(attribute)?.value ?? "";
  }
}
