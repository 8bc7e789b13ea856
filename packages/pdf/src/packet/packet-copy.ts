import {
  PDFArray,
  PDFBool,
  PDFCatalog,
  PDFDict,
  PDFHexString,
  PDFName,
  PDFNull,
  PDFNumber,
  type PDFObject,
  PDFPageLeaf,
  PDFPageTree,
  PDFRawStream,
  PDFRef,
  PDFString,
} from "../read/pdf-lib.ts";
import { key } from "../read/pdf-objects.ts";
import { damaged } from "../read/pdf-problem.ts";
import type { PacketDraft } from "./packet-draft.ts";
import type { LeftOutKind } from "./packet-left-out.ts";
import type { PacketSource } from "./packet-source.ts";

/** Returns the plan for a dictionary that must not be copied unchanged; null for any other dictionary. */
export type DictFilter = (dict: PDFDict, copier: ObjectCopier) => DictPlan | null;

/** How a dictionary is written. */
export interface DictPlan {
  /** Entries to leave out. */
  readonly without: ReadonlySet<PDFName>;
  /** The entries to add, as text. */
  readonly instead: string;
}

interface Copied {
  readonly number: number;
  /** Whether other sources may use this object instead of an equal one of their own. */
  readonly shareable: boolean;
}

const DEEPEST = 1000;
const LENGTH: ReadonlySet<PDFName> = new Set([key("Length")]);
const STRUCTURE: ReadonlySet<PDFName> = new Set(["StructParent", "StructParents"].map(key));
/** Entries that do not affect the look of a page. */
const ASIDE: ReadonlySet<PDFName> = new Set(["Metadata", "PieceInfo"].map(key));
const NOTHING: ReadonlySet<PDFName> = new Set();

/** Copies objects of one source into a draft, including all objects that they refer to. Each object is copied once. */
export class ObjectCopier {
  readonly source: PacketSource;
  readonly #draft: PacketDraft;
  readonly #filter: DictFilter;
  readonly #leaveOut: (kind: LeftOutKind) => void;
  readonly #pages = new Map<PDFRef, number>();
  readonly #copied = new Map<PDFRef, Copied>();
  readonly #atWork = new Set<PDFRef>();
  /** Whether the object being written refers only to shareable objects. */
  #shareable = true;
  /** Whether the object being written affects the look of a page. */
  #needed = false;

  constructor(options: {
    readonly source: PacketSource;
    readonly draft: PacketDraft;
    readonly filter: DictFilter;
    readonly leaveOut: (kind: LeftOutKind) => void;
  }) {
    this.source = options.source;
    this.#draft = options.draft;
    this.#filter = options.filter;
    this.#leaveOut = options.leaveOut;
  }

  /** Assigns an object number to a page that the caller writes. Later calls for the same page have no effect. */
  assignPage(ref: PDFRef, number: number): void {
    if (this.#pages.has(ref)) return;
    this.#pages.set(ref, number);
    this.#assign(ref, number);
  }

  /** Returns the object number of a source page in the packet; undefined if no number is assigned. */
  pageOf(ref: PDFRef): number | undefined {
    return this.#pages.get(ref);
  }

  /** Returns a dictionary entry as text; empty if the value is missing. */
  entryOf(name: PDFName, value: PDFObject): string {
    const needed = this.#needed;
    this.#needed = needed && !ASIDE.has(name);
    const text = this.text(value);
    this.#needed = needed;
    return text === "null" ? "" : entryText(name, text);
  }

  /** Like {@link entryOf}, but throws if an object that the value refers to is missing. */
  neededEntryOf(name: PDFName, value: PDFObject): string {
    this.#needed = true;
    const text = this.entryOf(name, value);
    this.#needed = false;
    return text;
  }

  /** Returns a value as text. Puts the objects that it refers to into the draft. */
  text(object: PDFObject): string {
    if (object instanceof PDFRef) return this.#refText(object);
    if (object instanceof PDFName) return object.asString();
    if (object instanceof PDFDict) return `<<${this.entries(object)}>>`;
    if (object instanceof PDFArray) {
      return `[${object
        .asArray()
        .map((each) => this.text(each))
        .join(" ")}]`;
    }
    if (isScalar(object)) return object.toString();
    throw damaged();
  }

  /** Returns the entries of a dictionary as text, without `<<` and `>>`. */
  entries(dict: PDFDict, without = NOTHING): string {
    const plan = this.#filter(dict, this);
    // Each page has its own annotations, and each source has its own layers.
    if (plan !== null || dict.get(key("Type")) === key("OCG")) this.#shareable = false;
    let text = plan?.instead ?? "";
    for (const [name, value] of dict.entries()) {
      if (STRUCTURE.has(name) || without.has(name) || plan?.without.has(name)) continue;
      text += this.entryOf(name, value);
    }
    return text;
  }

  /** Makes a reference resolve to the object with this number from now on. */
  #assign(ref: PDFRef, number: number): void {
    this.#copied.set(ref, { number, shareable: false });
  }

  #refText(ref: PDFRef): string {
    const known = this.#copied.get(ref);
    if (known !== undefined) {
      if (!known.shareable) this.#shareable = false;
      return `${known.number} 0 R`;
    }
    const object = this.source.context.lookup(ref);
    if (object === undefined && this.#needed) throw damaged();
    if (object === undefined || isScalar(object)) return object?.toString() ?? "null";
    if (object instanceof PDFName) return object.asString();
    if (this.#isLeftOut(object)) return "null";
    if (this.#atWork.has(ref)) {
      // A cycle: the object needs a number before it is written.
      const number = this.#draft.reserve();
      this.#assign(ref, number);
      this.#shareable = false;
      return `${number} 0 R`;
    }
    return `${this.#copy(ref, object)} 0 R`;
  }

  #copy(ref: PDFRef, object: PDFObject): number {
    if (this.#atWork.size > DEEPEST) throw damaged();
    this.#atWork.add(ref);
    const around = this.#shareable;
    this.#shareable = true;
    const { text, stream } = this.#body(object);
    const reserved = this.#copied.get(ref);
    const shareable = this.#shareable && reserved === undefined;
    this.#shareable = around && shareable;
    this.#atWork.delete(ref);
    if (shareable) {
      const number = this.#draft.share(text, stream);
      this.#copied.set(ref, { number, shareable });
      return number;
    }
    const number = reserved?.number ?? this.#draft.reserve();
    this.#draft.put(number, text, stream);
    this.#assign(ref, number);
    return number;
  }

  #body(object: PDFObject): { readonly text: string; readonly stream: Uint8Array | null } {
    if (!(object instanceof PDFRawStream)) return { text: this.text(object), stream: null };
    const stream = object.contents;
    const entries = this.entries(object.dict, LENGTH);
    return { text: `<<${entries}/Length ${stream.length}>>`, stream };
  }

  /**
   * Whether references to an object become null: a page that is not assigned, the page tree, the catalog, a signature.
   */
  #isLeftOut(object: PDFObject): boolean {
    if (object instanceof PDFPageLeaf || object instanceof PDFPageTree) return true;
    if (object instanceof PDFCatalog) return true;
    if (!(object instanceof PDFDict) || !object.has(key("ByteRange"))) return false;
    this.#leaveOut("signatures");
    return true;
  }
}

/** Returns one entry of a dictionary as text. */
export function entryText(name: PDFName, value: string): string {
  return `${name.asString()}${/^[</[(]/.test(value) ? "" : " "}${value}`;
}

function isScalar(object: PDFObject): boolean {
  return (
    object instanceof PDFNumber ||
    object instanceof PDFString ||
    object instanceof PDFHexString ||
    object instanceof PDFBool ||
    object === PDFNull
  );
}
