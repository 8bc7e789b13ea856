import assert from "node:assert/strict";
import type { Element } from "@xmldom/xmldom";
import { all, children, rootOf } from "./labels.ts";
import { assertWellFormed } from "./well-formed.ts";
import { partsOf } from "./word-file.ts";

const STORIES = /^word\/(?:document|header\d*|footer\d*|footnotes|endnotes|comments)\.xml$/;
const CONTAINERS = [
  "w:body",
  "w:tc",
  "w:txbxContent",
  "w:hdr",
  "w:ftr",
  "w:footnote",
  "w:endnote",
  "w:comment",
];
const WRAPPERS = ["w:sdt", "w:sdtContent", "w:customXml", "w:smartTag"];
const RANGES = ["bookmark", "commentRange", "perm", "moveFromRange", "moveToRange"];
/** Elements whose `w:id` must be unique among all of them. */
const MARKS = [
  "w:bookmarkStart",
  "w:ins",
  "w:del",
  "w:moveFrom",
  "w:moveTo",
  "w:rPrChange",
  "w:pPrChange",
];

/** Throws if Word would call a document damaged, repair it, or merge adjacent tables. */
export function assertSound(bytes: Uint8Array): void {
  assertWellFormed(bytes);
  const parts = partsOf(bytes);
  const roots = new Map<string, Element>();
  for (const [name, xml] of parts) if (/\.(?:xml|rels)$/.test(name)) roots.set(name, rootOf(xml));
  const stories = [...roots].filter(([name]) => STORIES.test(name)).map(([, root]) => root);
  for (const root of stories) {
    for (const name of CONTAINERS) {
      for (const each of [...all(root, name), ...(root.nodeName === name ? [root] : [])])
        container(each);
    }
    for (const table of all(root, "w:tbl")) shapeOfTable(table);
    for (const each of all(root, "w:sdtContent"))
      assert(children(each).length > 0, "an empty content control");
    for (const paragraph of all(root, "w:p")) {
      for (const child of children(paragraph))
        assert(
          !["w:p", "w:tbl", "w:tr"].includes(child.nodeName),
          `${child.nodeName} in a paragraph`,
        );
    }
    fields(root);
    ranges(root);
  }
  ids(stories);
  references(roots);
}

/** Returns the blocks of a container, including blocks in content controls. */
function blocksOf(element: Element): Element[] {
  return children(element).flatMap((child) => {
    if (WRAPPERS.includes(child.nodeName)) return blocksOf(child);
    return child.nodeName === "w:p" || child.nodeName === "w:tbl" ? [child] : [];
  });
}

function container(element: Element): void {
  const blocks = blocksOf(element);
  assert.equal(blocks.at(-1)?.nodeName, "w:p", `${element.nodeName} does not end in a paragraph`);
  for (const [index, block] of blocks.entries()) {
    const touches = block.nodeName === "w:tbl" && blocks[index - 1]?.nodeName === "w:tbl";
    assert(!touches, `two tables touch in ${element.nodeName}`);
  }
}

function within(element: Element, name: string): Element[] {
  return children(element).flatMap((child) => {
    if (child.nodeName === name) return [child];
    return WRAPPERS.includes(child.nodeName) ? within(child, name) : [];
  });
}

function shapeOfTable(table: Element): void {
  const rows = within(table, "w:tr");
  assert(rows.length > 0, "a table without rows");
  for (const row of rows) assert(within(row, "w:tc").length > 0, "a row without cells");
}

function fields(root: Element): void {
  let open = 0;
  for (const mark of all(root, "w:fldChar")) {
    const type = mark.getAttribute("w:fldCharType");
    if (type === "begin") open += 1;
    if (type === "end") open -= 1;
    assert(open >= 0, "a field ends without a start");
  }
  assert.equal(open, 0, "an unclosed field");
}

function ranges(root: Element): void {
  for (const kind of RANGES) {
    const open = new Set<string | null>();
    const closed = new Set<string | null>();
    for (const each of all(root, "*")) {
      const id = each.getAttribute("w:id");
      if (each.nodeName === `w:${kind}Start`) {
        assert(!open.has(id) && !closed.has(id), `${kind} ${id} starts twice`);
        open.add(id);
      } else if (each.nodeName === `w:${kind}End`) {
        assert(open.delete(id), `${kind} ${id} ends without a start`);
        closed.add(id);
      }
    }
    assert.deepEqual([...open], [], `an unclosed ${kind}`);
  }
}

function unique(values: readonly (string | null)[], what: string): void {
  const given = values.filter((value) => value !== null);
  const twice = given.filter((value, index) => given.indexOf(value) !== index);
  assert.deepEqual(twice, [], `${what} used twice`);
}

function ids(stories: readonly Element[]): void {
  const every = (name: string): Element[] => stories.flatMap((root) => all(root, name));
  unique(
    every("wp:docPr").map((each) => each.getAttribute("id")),
    "the id of a drawing",
  );
  unique(
    every("w:bookmarkStart").map((each) => each.getAttribute("w:name")?.toLowerCase() ?? null),
    "the name of a bookmark",
  );
  unique(
    MARKS.flatMap(every).map((each) => each.getAttribute("w:id")),
    "the id of a mark",
  );
  unique(
    every("w:sdtPr").map((each) => children(each, "w:id")[0]?.getAttribute("w:val") ?? null),
    "the id of a content control",
  );
  unique(
    [...every("w:p"), ...every("w:tr")].map((each) => each.getAttribute("w14:paraId")),
    "the id of a paragraph",
  );
  unique(
    every("w:commentReference").map((each) => each.getAttribute("w:id")),
    "a comment",
  );
  for (const each of every("w:bookmarkStart")) {
    assert((each.getAttribute("w:name") ?? "").length <= 40, "the name of a bookmark is too long");
  }
}

function references(roots: ReadonlyMap<string, Element>): void {
  const main = roots.get("word/document.xml");
  if (main === undefined) return;
  for (const kind of ["footnote", "endnote", "comment"]) {
    const root = roots.get(`word/${kind}s.xml`);
    const notes =
      root === undefined ? [] : all(root, `w:${kind}`).map((each) => each.getAttribute("w:id"));
    unique(notes, `the id of a ${kind}`);
    const used = all(main, `w:${kind}Reference`).map((each) => each.getAttribute("w:id"));
    unique(used, `the reference to a ${kind}`);
    for (const id of used) assert(notes.includes(id), `the ${kind} ${id} is missing`);
  }
  const numbering = roots.get("word/numbering.xml");
  const lists =
    numbering === undefined
      ? []
      : all(numbering, "w:num").map((each) => each.getAttribute("w:numId"));
  unique(lists, "the number of a list");
  for (const each of numbering === undefined ? [] : all(main, "w:numId")) {
    const numId = each.getAttribute("w:val");
    assert(numId === "0" || lists.includes(numId), `the list ${numId} is missing`);
  }
  const rels = roots.get("word/_rels/document.xml.rels");
  const known =
    rels === undefined ? [] : all(rels, "Relationship").map((each) => each.getAttribute("Id"));
  unique(known, "the id of a relationship");
  for (const each of all(main, "*")) {
    const id = each.getAttribute("r:id") ?? each.getAttribute("r:embed");
    if (id !== null && id !== "") assert(known.includes(id), `the relationship ${id} is missing`);
  }
}
