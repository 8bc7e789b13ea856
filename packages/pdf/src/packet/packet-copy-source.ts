import { PDFDict, type PDFName } from "../read/pdf-lib.ts";
import { arrayIn, dictIn, key, nameIn } from "../read/pdf-objects.ts";
import { ObjectCopier } from "./packet-copy.ts";
import type { PacketDraft } from "./packet-draft.ts";
import { type CopiedForm, copyForm, formOf } from "./packet-form.ts";
import { type CopiedLayers, copyLayers } from "./packet-layers.ts";
import type { LeftOutKind } from "./packet-left-out.ts";
import { linkPlan } from "./packet-links.ts";
import type { BookmarkRange } from "./packet-outline.ts";
import type { PacketSource, SourcePage } from "./packet-source.ts";
import { copyOutline } from "./packet-source-outline.ts";

/** The parts of a source that are not yet in the draft. */
export interface CopiedSource {
  /** The object number that is reserved for the source's bookmark. */
  readonly bookmark: number;
  readonly below: BookmarkRange | null;
  readonly form: CopiedForm | null;
  readonly layers: CopiedLayers | null;
  readonly leftOut: ReadonlySet<LeftOutKind>;
}

/** Page entries that depend on the position in the source, that trigger an action, or that are written separately. */
const NOT_OF_PAGE: ReadonlySet<PDFName> = new Set(
  ["Type", "Parent", "Resources", "Contents", "Tabs", "B", "AA", "DPart", "PresSteps"].map(key),
);
/** The page size that readers assume if a page does not specify it. */
const LETTER = "/MediaBox[0 0 612 792]";

/** Page entries that determine the size and the rotation. */
const SIZE = ["MediaBox", "CropBox", "Rotate", "UserUnit"].map(key);

/**
 * Copies a complete source into a draft. With `evenPages`, adds a blank page to an odd number of pages.
 * Throws {@link PdfProblem} if an object that the pages need is missing.
 */
export function copySource(
  source: PacketSource,
  draft: PacketDraft,
  { prefix, evenPages }: { readonly prefix: string; readonly evenPages: boolean },
): CopiedSource {
  const leftOut = new Set<LeftOutKind>();
  const leaveOut = (kind: LeftOutKind) => void leftOut.add(kind);
  const bookmark = draft.reserve();
  const fields = formOf(source, draft);
  const copier = new ObjectCopier({
    source,
    draft,
    filter: (dict, self) => linkPlan(dict, self, { fields, leaveOut }),
    leaveOut,
  });
  // All numbers are reserved first, because any page may refer to any other page.
  const numbers = source.pages.map(({ ref }) => {
    const number = draft.reserve();
    if (ref !== null) copier.assignPage(ref, number);
    return number;
  });
  for (const [at, page] of source.pages.entries()) {
    if (page.dict.has(key("AA"))) leaveOut("actions");
    draft.putPage({ number: numbers[at] ?? 0, text: pageText(page, copier) });
  }
  const last = source.pages.at(-1);
  if (evenPages && last !== undefined && source.pages.length % 2 === 1) {
    draft.putPage({ number: draft.reserve(), text: blankText(last, copier) });
  }
  const form = fields === null ? null : copyForm(fields, prefix, copier, draft);
  if (form?.needsAppearances) leaveOut("appearances");
  const layers = copyLayers(copier);
  const below = copyOutline(bookmark, copier, draft, leaveOut);
  lookThroughCatalog(source, leaveOut);
  return { bookmark, below, form, layers, leftOut };
}

function pageText({ dict, inherited }: SourcePage, copier: ObjectCopier): string {
  // The visible content comes first: its objects must exist, even if other entries also refer to them.
  const resources = dict.get(key("Resources")) ?? inherited.get(key("Resources"));
  const contents = dict.get(key("Contents"));
  let text =
    resources === undefined ? "/Resources<<>>" : copier.neededEntryOf(key("Resources"), resources);
  if (contents !== undefined) text += copier.neededEntryOf(key("Contents"), contents);
  text += copier.entries(dict, NOT_OF_PAGE);
  for (const [name, value] of inherited) {
    if (name === key("Resources") || dict.has(name)) continue;
    text += copier.entryOf(name, value);
  }
  return hasSize({ dict, inherited }) ? text : text + LETTER;
}

/** Returns the text of a blank page of the same size. */
function blankText({ dict, inherited }: SourcePage, copier: ObjectCopier): string {
  let text = "/Resources<<>>";
  for (const name of SIZE) {
    const value = dict.get(name) ?? inherited.get(name);
    if (value !== undefined) text += copier.entryOf(name, value);
  }
  return hasSize({ dict, inherited }) ? text : text + LETTER;
}

function hasSize({ dict, inherited }: Pick<SourcePage, "dict" | "inherited">): boolean {
  return dict.has(key("MediaBox")) || inherited.has(key("MediaBox"));
}

/** Reports content of the catalog that is not copied. */
function lookThroughCatalog(
  { catalog }: PacketSource,
  leaveOut: (kind: LeftOutKind) => void,
): void {
  const has = (dict: PDFDict | null, name: string) => dict?.has(key(name)) ?? false;
  const names = dictIn(catalog, "Names");
  const opening = dictIn(catalog, "OpenAction");
  const isOpenedQuietly = opening === null || ["GoTo", "Named"].includes(nameIn(opening, "S"));
  const attached = has(names, "EmbeddedFiles") || has(catalog, "AF") || has(catalog, "Collection");
  if (has(catalog, "StructTreeRoot")) leaveOut("tags");
  if (has(catalog, "PageLabels")) leaveOut("pageLabels");
  if (attached) leaveOut("attachments");
  if (has(dictIn(catalog, "AcroForm"), "XFA")) leaveOut("xfa");
  if (has(catalog, "AA") || has(names, "JavaScript") || !isOpenedQuietly) leaveOut("actions");
  for (const intent of arrayIn(catalog, "OutputIntents")?.asArray() ?? []) {
    const dict = catalog.context.lookup(intent);
    if (dict instanceof PDFDict && nameIn(dict, "S").startsWith("GTS_PDFA")) leaveOut("archival");
  }
}
