import {
  childNamed,
  detach,
  type ElementNode,
  element,
  indexInParent,
  insertAt,
  type TagNode,
  type TemplateNode,
} from "./nodes.ts";

/** Returns the run of a tag. Splits the run, so that there is nothing else in it. */
export function isolated(tag: TagNode, run: ElementNode): ElementNode {
  const text = tag.parent;
  if (text === null || run.parent === null) return run;
  const content = run.children.filter(
    ({ kind, ...node }) => !(kind === "element" && "name" in node && node.name === "w:rPr"),
  );
  if (content.length === 1 && text.children.length === 1) return run;
  const [before, after] = [sibling(run), sibling(run)];
  const [textBefore, textAfter] = [
    element("w:t", text.attributes),
    element("w:t", text.attributes),
  ];
  moveInto(textBefore, text.children.slice(0, indexInParent(tag)));
  moveInto(textAfter, text.children.slice(indexInParent(tag) + 1));
  const at = indexInParent(text);
  const first = content[0] === undefined ? 0 : indexInParent(content[0]);
  const [left, right] = [run.children.slice(first, at), run.children.slice(at + 1)];
  moveInto(before, [...left, ...(textBefore.children.length > 0 ? [textBefore] : [])]);
  moveInto(after, [...(textAfter.children.length > 0 ? [textAfter] : []), ...right]);
  const place = indexInParent(run);
  if (hasContent(after)) insertAt(run.parent, place + 1, after);
  if (hasContent(before)) insertAt(run.parent, place, before);
  return run;
}

/** Returns an empty run with the same properties. */
function sibling(run: ElementNode): ElementNode {
  const made = element(run.name, run.attributes);
  const properties = childNamed(run, "w:rPr");
  if (properties !== null) insertAt(made, 0, copy(properties));
  return made;
}

function copy(node: TemplateNode): TemplateNode {
  if (node.kind !== "element") return { ...node, parent: null };
  const made = element(node.name, node.attributes);
  if (node.look !== undefined) made.look = { ...node.look, tags: [...node.look.tags] };
  insertAt(made, 0, ...node.children.map(copy));
  return made;
}

function hasContent({ children }: ElementNode): boolean {
  return children.some((node) => node.kind !== "element" || node.name !== "w:rPr");
}

function moveInto(parent: ElementNode, nodes: readonly TemplateNode[]): void {
  for (const node of nodes) detach(node);
  insertAt(parent, parent.children.length, ...nodes);
}
