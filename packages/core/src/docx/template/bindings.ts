import { childNamed, descendants, detach, type ElementNode } from "./nodes.ts";

const BINDINGS: ReadonlySet<string> = new Set(["w:dataBinding", "w15:dataBinding"]);

/**
 * Takes the data binding from content controls with tags, as on Word's cover pages: what is bound shows
 * the text of another part, so nobody would see what the tags print (ECMA-376 part 1, 17.5.2.6).
 */
export function releaseBindings(root: ElementNode): void {
  for (const node of descendants(root)) {
    if (node.kind !== "tag" && node.kind !== "marker") continue;
    for (let at = node.parent; at !== null; at = at.parent) {
      const properties = at.name === "w:sdt" ? childNamed(at, "w:sdtPr") : null;
      const bound = properties?.children.filter(
        (child): child is ElementNode => child.kind === "element" && BINDINGS.has(child.name),
      );
      for (const binding of bound ?? []) detach(binding);
    }
  }
}
