import type { Diagnostic } from "@quire/contracts";
import { catalogOf } from "./pages.ts";
import { PDFArray, type PDFContext, PDFDict, type PDFObject, PDFStream } from "./pdf-lib.ts";
import { dictIn, dictOf, key, nameIn } from "./pdf-objects.ts";
import { dropUnreachable, partsOf } from "./reachable.ts";

/** Actions that run, send, fetch or play something. They are removed, whatever triggers them. */
const HARMFUL = new Set([
  "JavaScript",
  "Launch",
  "SubmitForm",
  "ImportData",
  "Rendition",
  "Movie",
  "Sound",
  "RichMediaExecute",
]);

/** All other actions (ISO 32000-2, 12.6.4.1). They are allowed if a reader starts them with a click. */
const HARMLESS = new Set([
  "GoTo",
  "GoToR",
  "GoToE",
  "GoToDp",
  "Thread",
  "URI",
  "Hide",
  "Named",
  "ResetForm",
  "SetOCGState",
  "Trans",
  "GoTo3DView",
]);

/** Annotations that play something, some as soon as their page is visible. */
const MEDIA = new Set(["RichMedia", "Movie", "Screen", "Sound", "3D"]);

/** Keys of a file specification that may contain an attached file, one for each operating system. */
const SYSTEMS = ["F", "UF", "DOS", "Mac", "Unix"];

/**
 * Removes everything from a document that would run, fetch or play something: scripts, actions that start without a
 * click, media, external content, attached files, and the base address of relative links. Also removes objects that are
 * no longer used. Returns a warning for each kind of removal.
 */
export function cleanPdf(context: PDFContext): Diagnostic[] {
  dropUnreachable(context);
  const cleaning = new Cleaning();
  const catalog = catalogOf(context);
  cleaning.catalog(context, catalog);
  for (const [, object] of context.enumerateIndirectObjects()) cleaning.value(object);
  cleaning.lists(catalog);
  dropUnreachable(context);
  return cleaning.warnings();
}

class Cleaning {
  readonly #scripts = new Set<PDFObject>();
  readonly #actions = new Map<PDFObject, string>();
  readonly #media = new Map<PDFObject, string>();
  readonly #links = new Set<PDFObject>();
  readonly #attached = new Set<PDFObject>();
  #base = false;
  #rights = false;

  /** Removes the actions that run when the document is opened, and the usage rights. */
  catalog(context: PDFContext, catalog: PDFDict): void {
    const opening = dictIn(catalog, "OpenAction");
    if (opening !== null && actionOf(opening) !== "GoTo") {
      this.#note(opening);
      catalog.delete(key("OpenAction"));
    }
    opening?.delete(key("Next"));
    const names = dictIn(catalog, "Names");
    if (names?.has(key("JavaScript"))) {
      for (const script of actionsIn(context, names.get(key("JavaScript")))) this.#note(script);
      names.delete(key("JavaScript"));
    }
    catalog.delete(key("Requirements"));
    this.#rights = catalog.delete(key("Perms"));
    this.#base = dictIn(catalog, "URI")?.has(key("Base")) ?? false;
    catalog.delete(key("URI"));
    dictIn(catalog, "AcroForm")?.delete(key("CO"));
  }

  /** Removes the lists of attached files. The files' content has already been removed. */
  lists(catalog: PDFDict): void {
    const files = dictIn(catalog, "Names")?.delete(key("EmbeddedFiles")) ?? false;
    const portfolio = catalog.delete(key("Collection"));
    if ((files || portfolio) && this.#attached.size === 0) this.#attached.add(catalog);
  }

  /** Cleans a value and its direct parts. Referenced objects are cleaned separately. */
  value(object: PDFObject): void {
    if (object instanceof PDFArray) this.#array(object);
    else if (object instanceof PDFDict) this.#dict(object);
    else if (object instanceof PDFStream) this.#stream(object);
    for (const inner of partsOf(object)) this.value(inner);
  }

  #array(array: PDFArray): void {
    for (let index = array.size() - 1; index >= 0; index--) {
      const element = dictOf(array.lookup(index));
      if (element === null) continue;
      const subtype = nameIn(element, "Subtype");
      if (MEDIA.has(subtype) && element.has(key("Rect"))) this.#media.set(element, subtype);
      else if (isAttachment(element)) this.#attached.add(dictIn(element, "FS") ?? element);
      else if (subtype === "Popup" && isAttachment(dictIn(element, "Parent"))) {
        // The popup annotation is removed together with its attachment.
      } else if (isHarmful(element)) this.#note(element);
      else continue;
      array.remove(index);
    }
  }

  #dict(dict: PDFDict): void {
    this.#files(dict);
    for (const [name, held] of dict.entries()) {
      const value = dictOf(dict.context.lookup(held));
      if (value === null) continue;
      const actions = name === key("AA") ? automaticActions(value) : [];
      if (actions.length === 0 && !isHarmful(value)) continue;
      for (const action of actions.length > 0 ? actions : [value]) this.#note(action);
      dict.delete(name);
    }
  }

  /** Removes the content of an attached file, and the files associated with an object. */
  #files(dict: PDFDict): void {
    if (holdsFile(dict)) {
      this.#attached.add(dict);
      for (const name of ["EF", "RF"]) dict.delete(key(name));
    }
    const beside = filesBeside(dict.lookup(key("AF")));
    for (const file of beside) this.#attached.add(file);
    if (beside.length > 0) dict.delete(key("AF"));
  }

  #stream({ dict }: PDFStream): void {
    this.#files(dict);
    const elsewhere = ["F", "Ref", "OPI"].filter((name) => dict.has(key(name)));
    if (elsewhere.length > 0) this.#links.add(dict);
    for (const name of [...elsewhere, "FFilter", "FDecodeParms"]) dict.delete(key(name));
  }

  #note(action: PDFDict): void {
    const kind = actionOf(action);
    if (kind === "JavaScript") this.#scripts.add(action);
    else this.#actions.set(action, kind);
  }

  warnings(): Diagnostic[] {
    return [
      removal(this.#scripts.size, "removed_script", {
        what: ["script was", "scripts were"],
        why: "scripts do not run, so they do not compute, check or format any values",
        hint: 'Put computed values into the data, and formats into the names of fields: total :: number("#,##0.00").',
      }),
      removal(this.#actions.size, "removed_action", {
        what: ["action was", "actions were"],
        why: `documents must not start, send, fetch or play anything (${list(this.#actions)})`,
        hint: "Use links that a reader clicks.",
      }),
      removal(this.#media.size, "removed_media", {
        what: ["media annotation was", "media annotations were"],
        why: `documents must not play anything (${list(this.#media)})`,
        hint: "Remove it from the template.",
      }),
      removal(this.#links.size, "removed_external_link", {
        what: ["link to content in another file was", "links to content in another file were"],
        why: "documents must not fetch content from other files",
        hint: "Embed all content in the template.",
      }),
      removal(this.#base ? 1 : 0, "removed_external_link", {
        what: ["base address of relative links was", ""],
        why: "a relative link could open a file on the reader's machine",
        hint: "Use complete addresses in the links.",
      }),
      removal(this.#attached.size, "removed_attachment", {
        what: ["attached file was", "attached files were"],
        why: "documents must not contain files that a reader may open",
        hint: "Send the files separately.",
      }),
      removal(this.#rights ? 1 : 0, "removed_usage_rights", {
        what: ["grant of usage rights for Adobe Reader was", ""],
        why: "it is only valid while the file is unchanged",
        hint: "Current readers do not need it to fill and save a form.",
      }),
    ].flat();
  }
}

function removal(
  count: number,
  code: string,
  {
    what: [one, several],
    why,
    hint,
  }: { readonly what: readonly [string, string]; readonly why: string; readonly hint: string },
): Diagnostic[] {
  if (count === 0) return [];
  const counted = count === 1 ? `One ${one}` : `${count} ${several}`;
  const message = `${counted} removed from the template: ${why}.`;
  return [{ severity: "warning", code, message, hint }];
}

function list(named: ReadonlyMap<PDFObject, string>): string {
  return [...new Set(named.values())].sort().join(", ");
}

function isAttachment(annotation: PDFDict | null): boolean {
  return (
    annotation !== null &&
    nameIn(annotation, "Subtype") === "FileAttachment" &&
    annotation.has(key("Rect"))
  );
}

/** Whether a dictionary is a file specification with content, rather than a map that has an entry of the same name. */
function holdsFile(dict: PDFDict): boolean {
  const files = dictIn(dict, "EF");
  return files !== null && SYSTEMS.some((system) => files.lookup(key(system)) instanceof PDFStream);
}

/** Returns the files in an entry `AF`; none if `AF` is only the name of a resource, such as a font. */
function filesBeside(value: PDFObject | undefined): PDFDict[] {
  const isList = value instanceof PDFArray;
  const listed = isList ? value.asArray().map((_, index) => value.lookup(index)) : [value];
  const files = listed.filter((file): file is PDFDict => file instanceof PDFDict);
  const isFile = (file: PDFDict): boolean =>
    holdsFile(file) || ["F", "Filespec"].includes(nameIn(file, "Type"));
  return isList || files.every(isFile) ? files : [];
}

/** Returns the type of an action; empty if the dictionary is not an action. */
function actionOf(dict: PDFDict): string {
  const kind = nameIn(dict, "S");
  return HARMFUL.has(kind) || HARMLESS.has(kind) ? kind : "";
}

function isHarmful(dict: PDFDict): boolean {
  return HARMFUL.has(actionOf(dict));
}

/** Returns the actions in an entry `AA`, which start automatically; none if `AA` is only the name of a resource. */
function automaticActions(dict: PDFDict): PDFDict[] {
  const values = dict.keys().map((name) => dictOf(dict.lookup(name)));
  const actions = values.filter((value) => value !== null && actionOf(value) !== "");
  return actions.length === values.length ? (actions as PDFDict[]) : [];
}

/** Maximum number of objects in a name tree that are searched for scripts. Later scripts are not counted. */
const MAX_LISTED = 1_000;

/** Returns the actions in a name tree. */
function actionsIn(context: PDFContext, root: PDFObject | undefined): PDFDict[] {
  const found: PDFDict[] = [];
  const seen = new Set<PDFObject>();
  const open = [root];
  while (open.length > 0 && seen.size < MAX_LISTED) {
    const object = context.lookup(open.pop());
    if (object === undefined || seen.has(object)) continue;
    seen.add(object);
    if (object instanceof PDFDict && actionOf(object) !== "") found.push(object);
    else for (const part of partsOf(object)) open.push(part);
  }
  return found;
}
