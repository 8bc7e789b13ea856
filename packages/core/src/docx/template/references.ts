import type { ElementNode, TemplateNode, TextNode } from "./nodes.ts";

/** Fields that refer to bookmarks, up to the bookmark's name, as XML. */
const REFERENCE =
  /^(\s*(?:PAGEREF|NOTEREF|REF|HYPERLINK +\\l)\s+(?:"|&quot;)?)([\p{L}_][\p{L}\p{N}_]*)/iu;

/** A bookmark's name in the instruction of a field, with what stands around it; null in other fields. */
export function referenceIn(
  instruction: string,
): { readonly before: string; readonly name: string; readonly after: string } | null {
  const found = REFERENCE.exec(instruction);
  if (found === null) return null;
  const [, before = "", name = ""] = found;
  return { before, name, after: instruction.slice(before.length + name.length) };
}

/** A field whose instruction has begun. */
interface OpenField {
  readonly pieces: TextNode[];
  /** Whether anything else than text is in the instruction. */
  mixed: boolean;
}

/** Puts instructions that refer to bookmarks into one piece each, where Word has split them over runs. */
export function joinReferences(root: ElementNode): void {
  const open: OpenField[] = [];
  const visit = (node: TemplateNode): void => {
    const field = open.at(-1);
    if (node.kind === "text") {
      if (node.parent?.name === "w:instrText") field?.pieces.push(node);
    } else if (node.kind !== "element") {
      if (field !== undefined) field.mixed = true;
    } else {
      if (node.name === "w:fldChar") follow(node, open);
      for (const child of node.children) visit(child);
    }
  };
  visit(root);
}

function follow({ attributes }: ElementNode, open: OpenField[]): void {
  const type = / w:fldCharType="([^"]*)"/.exec(attributes)?.[1];
  if (type === "begin") {
    // A field within an instruction decides what it says.
    for (const around of open) around.mixed = true;
    open.push({ pieces: [], mixed: false });
  }
  const field = open.at(-1);
  if (field === undefined || type === "begin") return;
  if (!field.mixed) join(field.pieces);
  field.pieces.length = 0;
  field.mixed = true;
  if (type === "end") open.pop();
}

function join([first, ...others]: readonly TextNode[]): void {
  if (first === undefined || others.length === 0) return;
  const whole = first.xml + others.map(({ xml }) => xml).join("");
  if (referenceIn(whole) === null) return;
  first.xml = whole;
  for (const other of others) other.xml = "";
}
