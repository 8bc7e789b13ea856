import type { Diagnostic } from "@quire/contracts";

/** The message and the hint for a removal: `count` items in `part`, with `names`. */
interface RemovalText {
  readonly message: (count: number, part: string, names: string) => string;
  readonly hint: string;
}

const EMBED = "In Word, insert it into the document instead of linking to it.";

const REMOVAL_TEXTS = {
  removed_external_template: {
    message: (_count, part) => `The link to an attached template was removed from ${part}.`,
    hint: "Detach it in Word: Developer > Document Template > Normal.",
  },
  removed_style_updates: {
    message: (_count, part) =>
      `The setting that copies styles from the reader's template was removed from ${part}.`,
    hint: "In Word: Developer > Document Template, and clear “Automatically update document styles”.",
  },
  removed_remote_image: {
    message: (count, part) =>
      `${counted(count, "picture")} would be fetched from outside the document: the link was removed from ${part}.`,
    hint: EMBED,
  },
  removed_picture: {
    message: (count, part, names) =>
      `${counted(count, "picture")} that a document must not contain ${were(count)} removed from ${part}: ${names}.`,
    hint: "Insert it as a PNG, JPEG, GIF, BMP, TIFF, EMF, WMF or SVG picture that is not damaged.",
  },
  removed_ole_link: {
    message: (count, part) =>
      `${counted(count, "link")} to an object in another file ${were(count)} removed from ${part}; the last result is kept.`,
    hint: EMBED,
  },
  removed_alt_chunk: {
    message: (count, part) =>
      `${counted(count, "imported file")} (altChunk) ${were(count)} removed from ${part}, including the content.`,
    hint: "Open the template in Word and save it as .docx: Word makes the content part of the document.",
  },
  removed_activex: {
    message: (count, part) =>
      `${counted(count, "ActiveX control")} ${were(count)} removed from ${part}.`,
    hint: "Use content controls instead.",
  },
  removed_macros: {
    message: (_count, _part, names) => `The macros of the template were removed: ${names}.`,
    hint: "Documents are written without macros. Save the template as .docx to avoid this warning.",
  },
  removed_field: {
    message: (count, part, names) =>
      `${counted(count, "field")} that could read other files or start programs (${names}) ${were(count)} removed from ${part}; the last result is kept as text.`,
    hint: "Unlink the field in Word: Ctrl+Shift+F9.",
  },
  removed_mail_merge: {
    message: (_count, part) =>
      `The link to the data source of a mail merge was removed from ${part}.`,
    hint: "In Word: Mailings > Start Mail Merge > Normal Word Document.",
  },
  removed_external_link: {
    message: (count, part, names) =>
      `${counted(count, "link")} to something outside the document (${names}) ${were(count)} removed from ${part}.`,
    hint: EMBED,
  },
  removed_web_extension: {
    message: (_count, part) => `An add-in that Word would fetch was removed from ${part}.`,
    hint: "Documents are written without add-ins.",
  },
  removed_signature: {
    message: () =>
      "The digital signature of the template was removed: it does not cover rendered documents.",
    hint: "Sign the rendered documents.",
  },
} as const satisfies Readonly<Record<string, RemovalText>>;

/** Why something was removed. */
export type RemovalCode = keyof typeof REMOVAL_TEXTS;

/** Maximum number of names in one message. */
const MAX_NAMES = 5;

/** Maximum number of characters of a name in a message. */
const MAX_NAME = 200;

interface Removal {
  readonly code: RemovalCode;
  readonly part: string;
  /** The removed relationships. */
  readonly ids: Set<string>;
  /** The number of other removed items. */
  others: number;
  readonly names: Set<string>;
}

/** The content removed from a package: one warning for each part and code. */
export class Removals {
  readonly #removals: Removal[] = [];
  readonly #known = new Map<RemovalCode, Map<string, Removal>>();

  /** Records a removal. `name` is the name of the removed item, for the message. */
  add(code: RemovalCode, part: string, name = ""): void {
    const removal = this.#of(code, part);
    removal.others += 1;
    named(removal, name);
  }

  /** Records the removal of a relationship or of an element that uses it: both count as one item. */
  addRelationship(code: RemovalCode, part: string, id: string, name = ""): void {
    const removal = this.#of(code, part);
    removal.ids.add(id);
    named(removal, name);
  }

  warnings(): Diagnostic[] {
    return this.#removals.map(({ code, part, ids, others, names }) => {
      const list = [...names].slice(0, MAX_NAMES).join(", ");
      const text: RemovalText = REMOVAL_TEXTS[code];
      return {
        severity: "warning",
        code,
        message: text.message(
          ids.size + others,
          part,
          names.size > MAX_NAMES ? `${list}, …` : list,
        ),
        hint: text.hint,
        template: { part },
      };
    });
  }

  #of(code: RemovalCode, part: string): Removal {
    const ofCode = this.#known.get(code) ?? new Map<string, Removal>();
    this.#known.set(code, ofCode);
    const found = ofCode.get(part);
    if (found !== undefined) return found;
    const removal = { code, part, ids: new Set<string>(), others: 0, names: new Set<string>() };
    ofCode.set(part, removal);
    this.#removals.push(removal);
    return removal;
  }
}

function named({ names }: Removal, name: string): void {
  if (name !== "" && names.size <= MAX_NAMES) names.add(name.slice(0, MAX_NAME));
}

function counted(count: number, what: string): string {
  return count === 1 ? `One ${what}` : `${count} ${what}s`;
}

function were(count: number): string {
  return count === 1 ? "was" : "were";
}
