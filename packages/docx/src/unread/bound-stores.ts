import type { DocxPackage } from "@quire/ooxml/internal/open";

/** Whether a part is a custom XML store, and whether content controls show any of it. */
export type StoreReader = (part: string) => "none" | "hidden" | "shown";

/**
 * Returns a reader of stores. A store that no content control shows is hidden: it contains the data of some program.
 */
export function storeReader(docx: DocxPackage): StoreReader {
  const stores = new Set(
    docx
      .relationshipsOf(docx.mainPart)
      .flatMap(({ kind, part }) => (kind === "customXml" ? [part] : [])),
  );
  let bound: ReadonlySet<string> | null = null;
  return (part) => {
    if (!stores.has(part)) return "none";
    bound ??= boundIds(docx);
    // A binding without an id may mean any store.
    return bound.has(idOf(docx, part)) || bound.has("") ? "shown" : "hidden";
  };
}

/** Returns the ids of the stores to which content controls are bound. */
function boundIds(docx: DocxPackage): Set<string> {
  const bindings = docx.storyParts.flatMap((part) => docx.readText(part).match(BINDINGS) ?? []);
  return new Set(bindings.map((binding) => idIn(binding, /storeItemID\s*=\s*["']([^"']*)/)));
}

const BINDINGS = /<[^<>]*dataBinding\s[^<>]*>/g;

function idOf(docx: DocxPackage, store: string): string {
  const properties = docx.relationshipsOf(store).find(({ kind }) => kind === "customXmlProps");
  if (properties === undefined || properties.part === null) return "without an id";
  return idIn(docx.readText(properties.part), /itemID\s*=\s*["']([^"']*)/);
}

function idIn(xml: string, pattern: RegExp): string {
  return pattern.exec(xml)?.[1]?.toUpperCase() ?? "";
}
