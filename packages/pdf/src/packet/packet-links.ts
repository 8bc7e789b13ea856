import { PDFArray, PDFDict, PDFName, PDFNumber, type PDFObject, PDFRef } from "../read/pdf-lib.ts";
import { key } from "../read/pdf-objects.ts";
import { type DictPlan, entryText, type ObjectCopier } from "./packet-copy.ts";
import type { LeftOutKind } from "./packet-left-out.ts";
import type { PacketSource } from "./packet-source.ts";

/** Actions that links may keep, because they do not run, send or play anything. */
const HARMLESS: ReadonlySet<PDFName> = new Set(
  ["GoTo", "GoToR", "URI", "Named", "Hide", "ResetForm", "SetOCGState"].map(key),
);
const OF_DESTINATION = new Set([key("D"), key("SD")]);
const OF_ACTION = new Set([key("Next")]);

/** The context in which annotations and form fields of a source are copied. */
export interface LinkContext {
  /** `roots`: the top-level fields of the source. `parent`: the packet's field that contains them. */
  readonly fields: { readonly roots: ReadonlySet<PDFDict>; readonly parent: number } | null;
  readonly leaveOut: (kind: LeftOutKind) => void;
}

/** Returns the plan for an annotation or a form field; null for any other dictionary. */
export function linkPlan(
  dict: PDFDict,
  copier: ObjectCopier,
  { fields, leaveOut }: LinkContext,
): DictPlan | null {
  const isAnnotation = dict.has(key("Rect")) && dict.get(key("Subtype")) instanceof PDFName;
  const isField = dict.has(key("FT")) || (dict.has(key("T")) && dict.has(key("Kids")));
  if (!isAnnotation && !isField) return null;
  const without = new Set([key("A"), key("AA"), key("Dest")]);
  if (dict.has(key("AA"))) leaveOut("actions");
  let instead = targetText(dict, copier, leaveOut);
  if (dict.get(key("FT")) === key("Sig") && dict.has(key("V"))) {
    without.add(key("V"));
    leaveOut("signatures");
  }
  if (fields?.roots.has(dict)) {
    without.add(key("Parent"));
    instead += `/Parent ${fields.parent} 0 R`;
  }
  return { without, instead };
}

/** Returns the target of an annotation or a bookmark as the text of dictionary entries. */
export function targetText(
  dict: PDFDict,
  copier: ObjectCopier,
  leaveOut: (kind: LeftOutKind) => void,
): string {
  const action = dict.lookup(key("A"));
  if (action instanceof PDFDict) return actionText(action, copier, leaveOut);
  const destination = destinationText(dict.get(key("Dest")), copier);
  return destination === null ? "" : entryText(key("Dest"), destination);
}

function actionText(
  action: PDFDict,
  copier: ObjectCopier,
  leaveOut: (kind: LeftOutKind) => void,
): string {
  const kind = action.lookup(key("S"));
  if (!(kind instanceof PDFName) || !HARMLESS.has(kind)) {
    leaveOut("actions");
    return "";
  }
  if (action.has(key("Next"))) leaveOut("actions");
  if (kind !== key("GoTo")) return `/A<<${copier.entries(action, OF_ACTION)}>>`;
  const destination = destinationText(action.get(key("D")), copier);
  if (destination === null) return "";
  const rest = copier.entries(action, new Set([...OF_ACTION, ...OF_DESTINATION]));
  return `/A<<${rest}${entryText(key("D"), destination)}>>`;
}

/**
 * Returns a destination as the text of an array. Resolves named destinations, so that equal names in two sources do not
 * collide. Returns null if the destination does not exist.
 */
export function destinationText(value: PDFObject | undefined, copier: ObjectCopier): string | null {
  const array = destinationArray(value, copier.source);
  if (array === null) return null;
  const [target, ...view] = array.asArray();
  const page = pageNumber(target, copier);
  if (page === undefined) return null;
  const rest = view.map((each) => copier.text(each)).join(" ");
  return `[${page} 0 R${rest.startsWith("/") ? "" : " "}${rest}]`;
}

function destinationArray(value: PDFObject | undefined, source: PacketSource): PDFArray | null {
  let found = source.context.lookup(value);
  if (found !== undefined && !(found instanceof PDFArray)) {
    found = source.context.lookup(source.destination(found));
  }
  if (found instanceof PDFDict) found = found.lookup(key("D"));
  return found instanceof PDFArray ? found : null;
}

function pageNumber(target: PDFObject | undefined, copier: ObjectCopier): number | undefined {
  if (target instanceof PDFRef) return copier.pageOf(target);
  if (!(target instanceof PDFNumber)) return undefined;
  // Some programs write a page index instead of a reference.
  const ref = copier.source.pages[target.asNumber()]?.ref;
  return ref === null || ref === undefined ? undefined : copier.pageOf(ref);
}
