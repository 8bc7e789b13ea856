import { Buffer } from "node:buffer";
import type { Diagnostic, TemplatePlace } from "@quire/contracts";
import type { PackageLimits } from "@quire/ooxml/internal/limits/limits";
import type { DocxPackage } from "@quire/ooxml/internal/open";
import { CONTENT_TYPES_PART, isXmlType } from "@quire/ooxml/internal/package/content-types";
import { ownerOf } from "@quire/ooxml/internal/package/relationships";
import { hasInText, hasReferenceTo } from "@quire/ooxml/internal/xml/quick-look";
import { localName } from "@quire/ooxml/internal/xml/scan-tag";
import type { Delimiters } from "../language/delimiters/delimiters.ts";
import { NUMBERS } from "../template/fields/held-numbers.ts";
import { WITHOUT_TAGS } from "../template/fields/references.ts";
import { FIGURE_KINDS } from "../template/figures.ts";
import { capped } from "../template/mistakes/warnings.ts";
import { closest, type TagNode } from "../template/nodes/nodes.ts";
import { TEXT_ELEMENTS } from "../template/nodes/paragraph-texts.ts";
import { storeReader } from "./bound-stores.ts";
import { findUnread, type UnreadTag } from "./find-unread.ts";
import { namesBookmark, placeWords } from "./place-words.ts";

/** The context of the search in a template. */
export interface UnreadContext {
  readonly delimiters: Delimiters;
  /** The parts in whose usual places tags are read. */
  readonly read: ReadonlySet<string>;
  /** The canonical XML of parts that are already available. */
  readonly texts: ReadonlyMap<string, string>;
  /** The tags that were found in the template. */
  readonly tags: readonly TagNode[];
  /** The limits with which the parts were opened. */
  readonly limits: PackageLimits;
}

/** A package to search, and its relevant parts. */
interface Searched {
  readonly docx: DocxPackage;
  readonly parts: readonly string[];
  /** A prefix for the names of its parts in messages. */
  readonly prefix: string;
}

/** A tag in a place where tags are not read, with its part. */
interface PlacedTag extends UnreadTag {
  /** The name of the part, after the name of the included template if there is one. */
  readonly part: string;
  /** Whether the part is custom XML that content controls show. */
  readonly isStore: boolean;
}

/**
 * Returns a warning for each tag in a place where tags are not read, such as the text of a list number: it remains in
 * the document as text. All tags in text deleted in tracked changes give one warning. Parts that are not XML, such as
 * the workbook of a chart, are not searched.
 */
export function unreadTags(
  docx: DocxPackage,
  included: ReadonlyMap<string, DocxPackage>,
  context: UnreadContext,
): Diagnostic[] {
  const parts = docx.parts.filter((part) => isLookedThrough(docx, part));
  const found = searchIn({ docx, parts, prefix: "" }, context);
  for (const [name, each] of included) {
    const read = new Set([each.mainPart]);
    const searched = { docx: each, parts: includedParts(each), prefix: `${name}:` };
    found.push(...searchIn(searched, { ...context, read, texts: new Map() }));
  }
  const kept = found.filter(({ isDeleted }) => !isDeleted);
  const deleted = found.filter(({ isDeleted }) => isDeleted);
  return capped([...deletedTags(deleted), ...kept.map(warning)]);
}

/** Returns the parts that are copied with an included template and may show text. */
function includedParts(docx: DocxPackage): string[] {
  const comeAlong = docx
    .relationshipsOf(docx.mainPart)
    .flatMap(({ kind, part }) =>
      part !== null && (FIGURE_KINDS.has(kind) || COME_ALONG.has(kind)) ? [part] : [],
    );
  return [...new Set([docx.mainPart, ...comeAlong])].filter((part) => isLookedThrough(docx, part));
}

const COME_ALONG: ReadonlySet<string> = new Set(["image", "numbering"]);

function isLookedThrough(docx: DocxPackage, part: string): boolean {
  const isList = part === CONTENT_TYPES_PART || ownerOf(part) !== null;
  return !isList && isXmlType(part, docx.contentTypeOf(part) ?? "");
}

function searchIn({ docx, parts, prefix }: Searched, context: UnreadContext): PlacedTag[] {
  const { read, tags } = context;
  const inControls = new Set(
    tags.filter((tag) => closest(tag, "w:sdt") !== null).map(({ text }) => text),
  );
  const spread = spreadParts(docx);
  const storeOf = storeReader(docx);
  return parts.flatMap((part) => {
    const found =
      docx.mayHold(part) || (spread.has(part) && !read.has(part))
        ? foundIn(docx, part, context)
        : [];
    if (found.length === 0) return [];
    const store = storeOf(part);
    if (store === "hidden") return [];
    const isStore = store === "shown";
    // A tag is not reported if a control has the same tag in its own text. That text is shown, and its tags are filled.
    const isOfControls = isStore || found[0]?.place.root === "w:glossaryDocument";
    return found
      .filter(({ text }) => !(isOfControls && inControls.has(text)))
      .map((tag) => ({ ...tag, part: `${prefix}${part}`, isStore }));
  });
}

function foundIn(
  docx: DocxPackage,
  part: string,
  { delimiters, read, texts, limits }: UnreadContext,
): UnreadTag[] {
  const isRead = read.has(part);
  const xml = texts.get(part) ?? docx.readText(part);
  if (!mayHoldUnread(xml, isRead, delimiters)) return [];
  return findUnread(part, Buffer.from(xml), { delimiters, isRead, limits });
}

/** Parts other than stories that may have paragraphs, in which a tag may be spread over runs. */
function spreadParts(docx: DocxPackage): ReadonlySet<string> {
  const owners = new Set([docx.mainPart, ...docx.storyParts]);
  return new Set(
    [...owners].flatMap((owner) =>
      docx
        .relationshipsOf(owner)
        .flatMap(({ kind, part }) =>
          part !== null && (kind === "glossaryDocument" || FIGURE_KINDS.has(kind)) ? [part] : [],
        ),
    ),
  );
}

/** Checks quickly whether a part may have tags that are not read. The XML need not be canonical. */
function mayHoldUnread(xml: string, isRead: boolean, { start, end }: Delimiters): boolean {
  if (hasReferenceTo(xml, start + end)) return true;
  if (!isRead) return xml.includes(start) || hasInText(xml, start[0] ?? "");
  const first = xml.indexOf(start);
  if (first !== -1 && HOLDS_NUMBERS.test(xml)) return true;
  if (HOLDS_DELETED.test(xml)) return true;
  let open = -1;
  for (let at = first; at !== -1; at = xml.indexOf(start, at + 1)) {
    const before = open;
    for (let next = xml.indexOf("<", open + 1); next !== -1 && next < at; ) {
      open = next;
      next = xml.indexOf("<", open + 1);
    }
    if (open === before) continue;
    const close = xml.indexOf(">", open);
    const [, name = ""] = /^<([^\s/>]+)/.exec(xml.slice(open, open + 100)) ?? [];
    if (close > at || !READ.has(name)) return true;
  }
  return false;
}

const READ: ReadonlySet<string> = new Set(TEXT_ELEMENTS);

/** Tags in chart numbers are not read, although their elements have the same names as elements with text. */
const HOLDS_NUMBERS = new RegExp(`<(?:\\w+:)?(?:${NUMBERS.map(localName).join("|")})[ >]`);

/** Tags in deleted or moved text are not read, although moved text is in the same elements as other text. */
const HOLDS_DELETED = /<(?:\w+:)?(?:delText|moveFrom)[ >]/;

function warning(tag: PlacedTag): Diagnostic {
  const where = tag.isStore ? "the custom XML that content controls show" : placeWords(tag.place);
  return {
    severity: "warning",
    code: "tag_in_unread_place",
    message: `${tag.text} is in ${where}, where tags are not read. It remains in the document as text.`,
    hint:
      !tag.isStore && namesBookmark(tag.place)
        ? WITHOUT_TAGS
        : "Move the tag into the text of the document, or replace it there with plain text.",
    template: templatePlace(tag),
  };
}

/**
 * Returns one warning for all tags in deleted text, at the first one. These tags disappear when the author accepts the
 * changes.
 */
function deletedTags(tags: readonly PlacedTag[]): Diagnostic[] {
  const [first] = tags;
  if (first === undefined) return [];
  // Word writes a text box in two forms.
  const { size } = new Set(tags.map((tag) => JSON.stringify(templatePlace(tag))));
  const more = size === 1 ? "" : ` The template has ${size} such tags; this is the first.`;
  return [
    {
      severity: "warning",
      code: "tag_in_unread_place",
      message: `${first.text} is in text that was deleted or moved away as a tracked change, where tags are not read. It remains in the document as text, struck through.${more}`,
      hint: "Accept or reject the tracked changes in Word, and save the template.",
      template: templatePlace(first),
    },
  ];
}

function templatePlace({ part, paragraph, text, near }: PlacedTag): TemplatePlace {
  return { part, ...(paragraph === 0 ? {} : { paragraph }), tag: text, near };
}
