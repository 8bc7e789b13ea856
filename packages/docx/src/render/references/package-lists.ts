import { Buffer } from "node:buffer";
import { parseContentTypes } from "@quire/ooxml/internal/package/content-types";
import { attributeXml } from "../../values/text.ts";

/** A relationship of the template. */
export interface TemplateRelationship {
  readonly id: string;
  readonly type: string;
  /** The target as written in the template. */
  readonly target: string;
  readonly external: boolean;
}

/** The content types of parts whose type depends on the file extension. */
const TYPES: ReadonlyMap<string, string> = new Map([
  ["png", "image/png"],
  ["jpeg", "image/jpeg"],
  ["gif", "image/gif"],
  ["bmp", "image/bmp"],
  ["svg", "image/svg+xml"],
  ["rels", "application/vnd.openxmlformats-package.relationships+xml"],
]);

/**
 * Returns the content types of a package after these parts and `overrides` are added. `overrides` uses the default
 * namespace. If the package lists each relationships part by name, a default type is added only for new ones.
 */
export function withTypes(
  {
    contentTypes,
    hasPart,
  }: { readonly contentTypes: string; readonly hasPart: (name: string) => boolean },
  added: Iterable<string>,
  overrides: string,
): string {
  const known = contentTypes.matchAll(/ Extension\s*=\s*["']([^"']*)["']/g);
  const extensions = new Set([...known].map(([, extension = ""]) => extension.toLowerCase()));
  const defaults = new Map<string, string>();
  for (const name of added) {
    const extension = name.slice(name.lastIndexOf(".") + 1);
    const type = TYPES.get(extension);
    if (type !== undefined && !extensions.has(extension) && !hasPart(name)) {
      defaults.set(extension, type);
    }
  }
  if (defaults.size === 0 && overrides === "") return contentTypes;
  const sorted = [...defaults].sort(([a], [b]) => (a < b ? -1 : 1));
  const types = sorted.map(
    ([extension, type]) => `<Default Extension="${extension}" ContentType="${type}"/>`,
  );
  const [end = "", prefix = ""] = /<\/(\w+:)?Types\s*>\s*$/.exec(contentTypes) ?? [];
  const written = [overrides, ...types].join("").replaceAll("<", `<${prefix}`);
  return contentTypes.slice(0, contentTypes.length - end.length) + written + end;
}

/** Returns the content types of a package after these parts are removed. */
export function withoutTypes(contentTypes: string, removed: ReadonlySet<string>): string {
  if (removed.size === 0) return contentTypes;
  const types = parseContentTypes(Buffer.from(contentTypes)).rewritten(removed, []);
  return types?.toString() ?? contentTypes;
}

/** Returns the XML of a relationships part. */
export function relationshipsXml(relationships: readonly TemplateRelationship[]): string {
  const list = relationships.map(({ id, type, target, external }) => {
    const mode = external ? ' TargetMode="External"' : "";
    return `<Relationship Id="${attributeXml(id)}" Type="${attributeXml(type)}" Target="${attributeXml(target)}"${mode}/>`;
  });
  return `${XML_DECLARATION}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${list.join("")}</Relationships>`;
}

/** Returns the target from one part to another: relative within the same folder, otherwise from the root. */
export function targetFrom(part: string, name: string): string {
  const folder = part.slice(0, part.lastIndexOf("/") + 1);
  return name.startsWith(folder) ? name.slice(folder.length) : `/${name}`;
}

const XML_DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';

/** Returns the XML that gives a part its content type, in the default namespace. */
export function overrideXml(part: string, type: string): string {
  return `<Override PartName="/${attributeXml(part)}" ContentType="${attributeXml(type)}"/>`;
}
