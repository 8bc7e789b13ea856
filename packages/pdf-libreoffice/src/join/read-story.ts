import { refuse } from "./refusal.ts";
import { readSection } from "./sections.ts";
import type { Story, StoryReaders } from "./story.ts";
import { StoryScan } from "./story-scan.ts";
import type { Tag, TagReader } from "./tags.ts";

const SECTION_START = "<w:sectPr";
const SECTION_END = "</w:sectPr>";

const DECLARATION =
  /^<\?xml version=["']1\.0["'] encoding=["']UTF-8["'](?: standalone=["']yes["'])?\?>/i;

/** Reads a main document. Refuses content that is not on the whitelist. */
export function readMain(xml: string, readers: StoryReaders): Story {
  const { tags } = readers;
  const [root, inRoot] = rootOf(xml, tags);
  const [body, start] = tagAfter(xml, inRoot, tags);
  if (root.name !== "w:document" || body.name !== "w:body") refuse(`${body.name} in ${root.name}`);
  const to = xml.lastIndexOf(SECTION_START);
  const end = xml.indexOf(SECTION_END, to) + SECTION_END.length;
  if (to < start || !/^\s*<\/w:body>\s*<\/w:document>\s*$/.test(xml.slice(end))) {
    refuse("a document that does not end in the properties of a section");
  }
  return new StoryScan(xml, readers).body(start, to, readSection(xml.slice(to, end), tags));
}

/** Reads a header or footer. Refuses content that is not on the whitelist. */
export function readHeader(xml: string, readers: StoryReaders): Story {
  const [root, start] = rootOf(xml, readers.tags);
  if (root.name !== "w:hdr" && root.name !== "w:ftr") refuse(`a header that is ${root.name}`);
  return new StoryScan(xml, readers).header(root.name, start);
}

function rootOf(xml: string, tags: TagReader): [root: Tag, end: number] {
  const declared = DECLARATION.exec(xml)?.[0].length ?? refuse("unusual XML syntax");
  return tagAfter(xml, declared, tags);
}

function tagAfter(xml: string, from: number, tags: TagReader): [tag: Tag, end: number] {
  const at = xml.indexOf("<", from);
  if (at === -1 || xml.slice(from, at).trim() !== "") refuse("unusual XML syntax");
  const tag = tags.read(xml, at);
  if (tag.closes || tag.empty) refuse("an empty part");
  return [tag, at + tag.text.length];
}
