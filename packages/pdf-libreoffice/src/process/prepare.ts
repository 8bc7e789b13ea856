import { type Diagnostic, isQuireError, type QuireError } from "@quire/contracts";
import { type Docx, openDocx } from "@quire/ooxml";
import { embeddedFonts } from "../fonts/embedded.ts";
import { FONTS_UNCHECKED, fontsMissing } from "../fonts/preflight.ts";
import type { FontChecker } from "./font-checker.ts";
import { formulaFindings } from "./formulas.ts";
import type { ConvertRequest, DocumentReply, LaneDocument } from "./messages.ts";
import { closeObjects } from "./objects.ts";

/** A document that was checked and may be passed to LibreOffice. */
export interface Prepared {
  readonly docx: Docx;
  /** The original document, if it must not be cleaned; otherwise null. */
  readonly uncleaned: Uint8Array | null;
  readonly warnings: readonly Diagnostic[];
  /** Whether the PDF must contain text. */
  readonly hasText: boolean;
  /**
   * The date of the last modification in the document's properties. A rendered document has the date of its template.
   */
  readonly modified: string | undefined;
  /** Whether a link contains an absolute path of a file. */
  readonly namesFiles: boolean;
  /** Whether the document embeds fonts. */
  readonly bringsFonts: boolean;
}

/**
 * Checks documents before they are passed to a LibreOffice, and tracks the fonts that this LibreOffice has loaded.
 */
export class Preparation {
  readonly #fonts: FontChecker;
  readonly #lacksFormulas: boolean;
  readonly #cleaned: boolean;
  /** The key of the embedded fonts that documents have loaded into this LibreOffice; may be empty. */
  #embedded = "";

  /** For `cleaned`, see `Seal`. */
  constructor(
    fonts: FontChecker,
    { lacksFormulas, cleaned }: { readonly lacksFormulas: boolean; readonly cleaned: boolean },
  ) {
    this.#fonts = fonts;
    this.#lacksFormulas = lacksFormulas;
    this.#cleaned = cleaned;
  }

  /** Prepares a document. Returns a reply instead if the document is rejected or needs another LibreOffice. */
  async prepare(
    document: LaneDocument,
    { fonts }: Pick<ConvertRequest, "fonts">,
  ): Promise<Prepared | DocumentReply> {
    const opened = open(document);
    if ("type" in opened) return opened;
    const docx = closeObjects(opened);
    const brought = embeddedFonts(docx);
    if (!this.#takes(brought)) return { type: "elsewhere" };
    const warnings = fonts === "off" ? [] : ((await this.#fonts.check(docx)) ?? [FONTS_UNCHECKED]);
    if (fonts === "strict" && warnings.length > 0) return refused(fontsMissing(warnings));
    const main = docx.readText(docx.mainPart);
    const formulas = this.#lacksFormulas ? formulaFindings(main) : [];
    return {
      docx,
      uncleaned: this.#cleaned ? null : document.bytes,
      warnings: [...opened.warnings, ...warnings, ...formulas],
      hasText: hasText(main),
      modified: modified(docx),
      namesFiles: namesFiles(docx, main),
      bringsFonts: brought !== "",
    };
  }

  /**
   * Whether this LibreOffice can convert a document with these embedded fonts without showing fonts of other documents.
   * If so, records the fonts, because they remain in LibreOffice.
   */
  #takes(fonts: string): boolean {
    if (this.#embedded !== "" && fonts !== this.#embedded) return false;
    this.#embedded = fonts;
    return true;
  }
}

function open({ bytes, rendered }: LaneDocument): Docx | DocumentReply {
  try {
    return openDocx(bytes, { rendered });
  } catch (error) {
    if (!isQuireError(error)) throw error;
    return refused(error);
  }
}

function refused({ message, diagnostics }: QuireError): DocumentReply {
  return { type: "failed", refused: true, problem: message, detail: "", diagnostics };
}

const MODIFIED = /<dcterms:modified\b[^>]*>\s*([^<\s]{4,40})\s*</;

function modified(docx: Docx): string | undefined {
  const part = docx.partByKind("core-properties");
  const date = part === null ? undefined : MODIFIED.exec(docx.readText(part))?.[1];
  return date === undefined || Number.isNaN(Date.parse(date)) ? undefined : date;
}

const WHOLE_PATH = /^(?:file:|[a-z]:[\\/]|[\\/])/i;
const FIELD = /HYPERLINK\s+"?(?:file:|[a-z]:[\\/]|[\\/])/i;

function namesFiles(docx: Docx, main: string): boolean {
  const links = docx.storyParts.flatMap((part) => docx.relationshipsOf(part));
  return (
    FIELD.test(main) || links.some(({ external, target }) => external && WHOLE_PATH.test(target))
  );
}

const TEXT = /<(?:\w+:)?t(?: [^>]*)?>[^<]*[^<\s][^<]*<\//;

/** Whether the body certainly has visible text: it contains text, and none of it is hidden. */
function hasText(text: string): boolean {
  return TEXT.test(text) && !/<w:(?:vanish|webHidden|specVanish)\b/.test(text);
}
