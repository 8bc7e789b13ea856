import { malformed } from "../limits/refusal.ts";
import { Edits } from "../xml/edits.ts";
import { NamespaceScope } from "../xml/namespaces.ts";
import { type ScanBounds, type ScanHandler, scanXml } from "../xml/scan.ts";
import { localName, type ScannedTag } from "../xml/scan-tag.ts";
import { unescapedText } from "../xml/unescape.ts";
import { FieldCleaner, forbiddenField } from "./clean-fields.ts";
import {
  CONTEXTS,
  EMBEDDED_FONTS,
  FLOWS,
  HYPERLINKS,
  isPathLike,
  NOTHING_WITHOUT_TARGET,
  PICTURES,
  REMOVED_ELEMENTS,
  SOURCES,
  TEXTS,
  VML_SOURCES,
} from "./clean-rules.ts";
import { ReadingContext } from "./reading-context.ts";
import type { RemovalCode, Removals } from "./removals.ts";

/** The relationships of a part that its elements must not use, by their ids. */
export interface ForbiddenTargets {
  /** For each removed relationship, the reason; for each hyperlink, `hyperlink`. */
  readonly forbidden: ReadonlyMap<string, RemovalCode | "hyperlink">;
  /** Relationships whose targets were not checked as pictures. */
  readonly noPictures: ReadonlySet<string>;
}

/** The properties of a part besides its content. */
export interface AboutPart {
  readonly targets: ForbiddenTargets;
  /** The root elements that the part may have, with the usual prefix. Empty if any root is allowed. */
  readonly roots: ReadonlySet<string>;
}

/**
 * Checks an XML part, and removes anything that would load, run or open something when somebody opens or converts a
 * document based on it. Returns the changed text, or null if nothing changes.
 */
export function cleanPart(
  part: string,
  xml: Buffer,
  about: AboutPart,
  removals: Removals,
  bounds: ScanBounds,
): Buffer | null {
  const cleaner = new PartCleaner(part, xml, about, removals);
  scanXml(part, xml, cleaner, bounds);
  return cleaner.finish();
}

/** A longer field instruction is treated as an attack: real ones have a few hundred characters. */
const MAX_INSTRUCTION = 1_000_000;

class PartCleaner implements ScanHandler {
  readonly #part: string;
  readonly #xml: Buffer;
  readonly #targets: ForbiddenTargets;
  readonly #roots: ReadonlySet<string>;
  readonly #removals: Removals;
  readonly #edits = new Edits();
  readonly #fields = new FieldCleaner(this.#edits);
  readonly #scope = new NamespaceScope();
  readonly #context = new ReadingContext();
  /** Actions for the ends of open elements, the innermost last. */
  readonly #open: { readonly depth: number; readonly done: WhenDone }[] = [];
  /** The depths of the open runs. */
  readonly #runs: number[] = [];
  /** Whether the current content is being removed. */
  #isRemoving = false;
  #reading: "instruction" | "text" | null = null;
  /** Whether the current font has a name that could be a path. */
  #isFontPathLike = false;

  constructor(part: string, xml: Buffer, about: AboutPart, removals: Removals) {
    this.#part = part;
    this.#xml = xml;
    this.#targets = about.targets;
    this.#roots = about.roots;
    this.#removals = removals;
  }

  open(tag: ScannedTag): void {
    if (tag.declares) this.#scope.enter(tag.depth, tag.attributes());
    const name = this.#scope.element(tag.name);
    if (tag.depth === 0) this.#checkRoot(tag, name);
    if (!this.#isRemoving) this.#element(tag, name);
    if (tag.declares && tag.empty) this.#scope.leave(tag.depth);
  }

  close(depth: number, start: number, end: number): void {
    while (this.#open.at(-1)?.depth === depth) this.#open.pop()?.done(start, end);
    this.#scope.leave(depth);
  }

  text(from: number, to: number, literal: boolean): void {
    const isRead = this.#fields.inInstruction
      ? this.#reading !== null
      : this.#reading === "instruction";
    if (!isRead || this.#isRemoving) return;
    if (to - from > MAX_INSTRUCTION) {
      throw malformed(this.#part, `it has a field of more than ${MAX_INSTRUCTION} bytes`);
    }
    const text = literal
      ? this.#xml.toString("utf8", from, to)
      : unescapedText(this.#xml, from, to);
    if (this.#fields.inInstruction) {
      this.#fields.text(text, this.#context.now);
    } else {
      // A reader may see this text as the instruction of a field, although no field is open here.
      const field = forbiddenField(text);
      if (field !== null) this.#edits.remove(from, to);
      if (field !== null) this.#removals.add("removed_field", this.#part, field);
    }
  }

  finish(): Buffer | null {
    this.#leaveFlow();
    this.#fields.settle();
    return this.#edits.isEmpty ? null : this.#edits.applyTo(this.#xml);
  }

  /** Rejects an unexpected root element: a program that detects formats by content could read the part as HTML. */
  #checkRoot(tag: ScannedTag, name: string): void {
    const [root] = this.#roots;
    if (root === undefined || (this.#roots.size === 1 && root === name)) return;
    throw malformed(
      this.#part,
      `its root element is ${tag.name.slice(0, 100)}, but Word writes a different one there`,
    );
  }

  #element(tag: ScannedTag, name: string): void {
    const piece = this.#piece(tag, name);
    if (name === "w:font") this.#enterFont(tag);
    const isFont = this.#isFontPathLike && EMBEDDED_FONTS.has(name);
    const code = isFont ? "removed_external_link" : REMOVED_ELEMENTS.get(name);
    if (code !== undefined) {
      this.#remove(tag, code, this.#targetOf(tag));
      return;
    }
    const isDrawing = name.startsWith("v:") || name.startsWith("sl:") || name === "o:OLEObject";
    const namesPicture = isDrawing || PICTURES.has(name);
    if ((namesPicture || this.#targets.forbidden.size > 0) && this.#checkAttributes(tag, name)) {
      return;
    }
    const context = CONTEXTS.get(name);
    if (context !== undefined) this.#whenDone(tag, this.#context.enter(context));
    if (FLOWS.has(name)) {
      this.#fields.enterFlow();
      this.#whenDone(tag, () => this.#leaveFlow());
    }
    if (TEXTS.has(name)) {
      this.#reading = name.endsWith("nstrText") ? "instruction" : "text";
      this.#whenDone(tag, () => {
        this.#reading = null;
      });
    }
    if (name === "w:r" && !tag.empty) {
      this.#runs.push(tag.depth);
      this.#whenDone(tag, () => this.#runs.pop());
    }
    if (name === "w:fldChar" && piece !== null) this.#fieldMark(tag, piece);
    if (name === "w:fldSimple") this.#simpleField(tag);
  }

  #enterFont(tag: ScannedTag): void {
    const outer = this.#isFontPathLike;
    this.#isFontPathLike = outer || isPathLike(this.#valueOf(tag, "w:name") ?? "");
    this.#whenDone(tag, () => {
      this.#isFontPathLike = outer;
    });
  }

  /** Assigns a number to a piece of a run's content. Returns null when no open field could contain the piece. */
  #piece(tag: ScannedTag, name: string): number | null {
    const isMark = name === "w:fldChar";
    if (!isMark && !this.#fields.isActive) return null;
    const inRun = tag.depth - 1 === this.#runs.at(-1) && name !== "w:rPr";
    if (!inRun && !isMark && !name.endsWith("nstrText")) return null;
    const piece = this.#fields.piece(tag.start, tag.end);
    this.#whenDone(tag, (_start, end) => this.#fields.endPiece(piece, end));
    return piece;
  }

  #fieldMark(tag: ScannedTag, piece: number): void {
    const type = this.#valueOf(tag, "w:fldCharType");
    if (type === "begin" && !this.#fields.begin(piece, this.#context.now)) {
      throw malformed(this.#part, "it has too many fields without an end");
    }
    if (type === "separate") this.#fields.separate(piece);
    if (type !== "end") return;
    const field = this.#fields.end(piece);
    if (field !== null) this.#removals.add("removed_field", this.#part, field);
  }

  #simpleField(tag: ScannedTag): void {
    this.#fields.nested(this.#context.now);
    const field = forbiddenField(this.#valueOf(tag, "w:instr") ?? "");
    if (field === null) return;
    this.#edits.remove(tag.start, tag.end);
    this.#whenDone(tag, (start, end) => this.#edits.remove(start, end));
    this.#removals.add("removed_field", this.#part, field);
  }

  #leaveFlow(): void {
    const field = this.#fields.leaveFlow().find((name) => name !== "computed");
    if (field === undefined) return;
    throw malformed(this.#part, `it has a field of a forbidden kind (${field}) that has no end`);
  }

  /** Removes attributes that refer to something outside. Returns true when the whole element was removed. */
  #checkAttributes(tag: ScannedTag, name: string): boolean {
    for (const { name: written, value, start, end } of tag.attributes()) {
      const attribute = this.#scope.attribute(written);
      if (name === "o:OLEObject" && attribute === "Type" && /^\s*link\s*$/i.test(value)) {
        this.#remove(tag, "removed_ole_link", this.#targetOf(tag));
        return true;
      }
      const isSource = name.startsWith("v:") ? VML_SOURCES : SOURCES;
      if (isSource.has(attribute) && value.trim() !== "") {
        this.#edits.remove(start, end);
        const code = name.startsWith("v:") ? "removed_remote_image" : "removed_external_link";
        this.#removals.add(code, this.#part, attribute);
      }
      if (!attribute.startsWith("r:") && attribute !== "o:relid") continue;
      const code = this.#forbidden(name, value);
      if (code === null) continue;
      if (NOTHING_WITHOUT_TARGET.has(name)) {
        this.#remove(tag, code, value);
        return true;
      }
      this.#edits.remove(start, end);
      this.#removals.addRelationship(code, this.#part, value);
    }
    return false;
  }

  /** Returns why an element must not use a relationship, or null if the element may use it. */
  #forbidden(name: string, id: string): RemovalCode | null {
    const { forbidden, noPictures } = this.#targets;
    const isPicture = PICTURES.has(name) || name.startsWith("v:");
    // A reader would open any target as a picture.
    if (isPicture && noPictures.has(id)) return "removed_picture";
    const target = forbidden.get(id);
    if (target !== "hyperlink") return target ?? null;
    if (HYPERLINKS.has(name)) return null;
    return isPicture ? "removed_remote_image" : "removed_external_link";
  }

  #remove(tag: ScannedTag, code: RemovalCode, target: string | null): void {
    const { name, start } = tag;
    if (target !== null) this.#removals.addRelationship(code, this.#part, target);
    else this.#removals.add(code, this.#part, localName(name));
    this.#isRemoving = true;
    this.#whenDone(tag, (_start, end) => {
      this.#isRemoving = false;
      this.#edits.remove(start, end);
    });
  }

  /** Returns the forbidden relationship that an element uses, or null. */
  #targetOf(tag: ScannedTag): string | null {
    const id = this.#valueOf(tag, "r:id");
    return id !== null && this.#targets.forbidden.has(id) ? id : null;
  }

  #valueOf(tag: ScannedTag, wanted: string): string | null {
    const found = tag.attributes().find(({ name }) => this.#scope.attribute(name) === wanted);
    return found?.value ?? null;
  }

  #whenDone(tag: ScannedTag, done: WhenDone): void {
    if (tag.empty) done(tag.end, tag.end);
    else this.#open.push({ depth: tag.depth, done });
  }
}

/** Called with the range of the end tag. For an empty element, both positions are its end. */
type WhenDone = (start: number, end: number) => void;
