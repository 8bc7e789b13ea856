import {
  PDFArray,
  PDFBool,
  PDFDict,
  type PDFName,
  type PDFObject,
  PDFRef,
} from "../read/pdf-lib.ts";
import { key } from "../read/pdf-objects.ts";
import { entryText, type ObjectCopier } from "./packet-copy.ts";
import type { PacketDraft } from "./packet-draft.ts";
import type { PacketFile } from "./packet-file.ts";
import type { PacketSource } from "./packet-source.ts";

/**
 * Attributes that fields inherit from the form. In the packet, the fields of a source inherit them from the field that
 * contains them.
 */
const INHERITED = ["DA", "Q"].map(key);

/** The form of a source, before it is copied. */
export interface SourceForm {
  readonly dict: PDFDict;
  readonly refs: readonly PDFRef[];
  readonly roots: ReadonlySet<PDFDict>;
  /** The object number of the packet's field that contains the source's fields. */
  readonly parent: number;
}

/** The copied parts of a form. */
export interface CopiedForm {
  readonly field: number;
  readonly needsAppearances: boolean;
  /** Fonts and other resources for the text of the fields, by kind and name. */
  readonly resources: ReadonlyMap<string, ReadonlyMap<string, string>>;
}

/** Returns the form of a source; null if it has none. */
export function formOf(source: PacketSource, draft: PacketDraft): SourceForm | null {
  const dict = source.catalog.lookup(key("AcroForm"));
  const fields = dict instanceof PDFDict ? dict.lookup(key("Fields")) : undefined;
  if (!(dict instanceof PDFDict) || !(fields instanceof PDFArray)) return null;
  const refs: PDFRef[] = [];
  const roots = new Set<PDFDict>();
  for (const ref of fields.asArray()) {
    const field = source.context.lookup(ref);
    if (!(ref instanceof PDFRef && field instanceof PDFDict) || roots.has(field)) continue;
    refs.push(ref);
    roots.add(field);
  }
  return refs.length === 0 ? null : { dict, refs, roots, parent: draft.reserve() };
}

/** Copies the fields that were not copied together with a page, below a field with a unique name. */
export function copyForm(
  { dict, refs, parent }: SourceForm,
  prefix: string,
  copier: ObjectCopier,
  draft: PacketDraft,
): CopiedForm {
  const kids = refs.map((ref) => copier.text(ref)).filter((text) => text !== "null");
  let text = `<</T(${prefix})/Kids[${kids.join(" ")}]`;
  for (const name of INHERITED) {
    const value = dict.get(name);
    if (value !== undefined) text += entryText(name, copier.text(value));
  }
  draft.put(parent, `${text}>>`, null);
  const resources = new Map<string, Map<string, string>>();
  for (const [kind, names] of entriesOf(dict.lookup(key("DR")))) {
    const values = entriesOf(copier.source.context.lookup(names)).map(
      ([name, value]) => [entryText(name, ""), copier.text(value)] as const,
    );
    if (values.length > 0) resources.set(entryText(kind, ""), new Map(values));
  }
  const needsAppearances = dict.lookup(key("NeedAppearances")) === PDFBool.True;
  return { field: parent, needsAppearances, resources };
}

function entriesOf(dict: PDFObject | undefined): readonly [PDFName, PDFObject][] {
  return dict instanceof PDFDict ? dict.entries() : [];
}

/** The form of a packet: a field for each source that has a form. */
export class PacketForm {
  readonly #fields: number[] = [];
  readonly #resources = new Map<string, Map<string, string>>();
  #needsAppearances = false;

  /** Number of sources with a form. */
  get sources(): number {
    return this.#fields.length;
  }

  add({ field, needsAppearances, resources }: CopiedForm): void {
    this.#fields.push(field);
    this.#needsAppearances ||= needsAppearances;
    for (const [kind, names] of resources) {
      const known = this.#resources.get(kind) ?? new Map<string, string>();
      this.#resources.set(kind, known);
      // Except in unusual files, the same name refers to the same standard font. A difference is visible only when
      // somebody edits a field.
      for (const [name, value] of names) if (!known.has(name)) known.set(name, value);
    }
  }

  /** Writes the form and returns its entry for the catalog. */
  async finish(file: PacketFile): Promise<string> {
    if (this.#fields.length === 0) return "";
    const kinds = [...this.#resources].map(([kind, names]) => {
      const entries = [...names].map(([name, value]) => `${name}${value}`).join("");
      return `${kind}<<${entries}>>`;
    });
    const number = file.reserve();
    const fields = this.#fields.map((field) => `${field} 0 R`).join(" ");
    const appearances = this.#needsAppearances ? "/NeedAppearances true" : "";
    const text = `<</Fields[${fields}]/DR<<${kinds.join("")}>>${appearances}>>`;
    await file.put({ number, text, stream: null });
    return `/AcroForm ${number} 0 R`;
  }
}
