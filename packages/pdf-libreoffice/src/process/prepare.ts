import {
  type Diagnostic,
  type Docx,
  isQuireError,
  openDocx,
  type QuireError,
} from "@quire/core/docx";
import { embeddedFonts } from "../fonts/embedded.ts";
import { FONTS_UNCHECKED, fontsMissing } from "../fonts/preflight.ts";
import type { FontDesk } from "./font-desk.ts";
import { formulaFindings } from "./formulas.ts";
import type { ConvertRequest, DocumentReply, LaneDocument } from "./messages.ts";
import { closeObjects } from "./objects.ts";

/** A document that was looked at and may go to LibreOffice. */
export interface Prepared {
  readonly docx: Docx;
  /** The document as it came, where it is not to be cleaned. */
  readonly uncleaned: Uint8Array | null;
  readonly warnings: readonly Diagnostic[];
  /** Whether its PDF must hold text. */
  readonly hasText: boolean;
  /** When it says that it was last changed: for a rendered one that is its template. */
  readonly modified: string | undefined;
  /** Whether a link names a file by its whole path. */
  readonly namesFiles: boolean;
  /** Whether it brings fonts with it. */
  readonly bringsFonts: boolean;
}

/** Looks at documents before they go to a LibreOffice, and knows what is in that already. */
export class Preparation {
  readonly #fonts: FontDesk;
  readonly #lacksFormulas: boolean;
  readonly #cleaned: boolean;
  /** Which fonts documents have brought into this LibreOffice. */
  #embedded = "";

  /** `cleaned`: see `Seal`. */
  constructor(
    fonts: FontDesk,
    { lacksFormulas, cleaned }: { readonly lacksFormulas: boolean; readonly cleaned: boolean },
  ) {
    this.#fonts = fonts;
    this.#lacksFormulas = lacksFormulas;
    this.#cleaned = cleaned;
  }

  /** The document, or what became of it already: it is refused, or must go to another LibreOffice. */
  async prepare(
    document: LaneDocument,
    { fonts }: Pick<ConvertRequest, "fonts">,
  ): Promise<Prepared | DocumentReply> {
    const opened = open(document);
    if ("type" in opened) return opened;
    const docx = closeObjects(opened);
    const brought = embeddedFonts(docx);
    if (!this.#takes(brought)) return { type: "elsewhere" };
    const findings =
      fonts === "off" ? [] : ((await this.#fonts.findings(docx)) ?? [FONTS_UNCHECKED]);
    if (fonts === "strict" && findings.length > 0) return refused(fontsMissing(findings));
    const main = docx.readText(docx.mainPart);
    const formulas = this.#lacksFormulas ? formulaFindings(main) : [];
    return {
      docx,
      uncleaned: this.#cleaned ? null : document.bytes,
      warnings: [...opened.warnings, ...findings, ...formulas],
      hasText: hasText(main),
      modified: modified(docx),
      namesFiles: namesFiles(docx, main),
      bringsFonts: brought !== "",
    };
  }

  /** Whether no fonts of other documents show in this one. Its own stay in LibreOffice from now on. */
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

/** Whether the body has text that is not hidden. */
function hasText(text: string): boolean {
  return TEXT.test(text) && !/<w:(?:vanish|webHidden|specVanish)\b/.test(text);
}
