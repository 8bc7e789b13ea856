import { rmSync, writeFileSync } from "node:fs";
import { join as joinPath } from "node:path";
import { pathToFileURL } from "node:url";
import type { ConverterSeal, PdfOptions } from "@quire/contracts";
import { type Docx, openDocx } from "@quire/ooxml";
import { LRUCache } from "lru-cache";
import { folderTrouble } from "../office/machine-trouble.ts";
import {
  type Exchange,
  type ExportJob,
  type Office,
  OfficeEnded,
  OfficeFailure,
} from "../office/office.ts";
import { isIntact } from "../office/profile.ts";
import { checkPdf } from "../pdf/check-pdf.ts";
import { encryptionOf, WEAK_ENCRYPTION } from "../pdf/encryption.ts";
import { steady } from "../pdf/steady.ts";
import { exportJob, impossibleFor } from "./export-options.ts";
import { keepFieldResults } from "./field-results.ts";
import type { FontChecker } from "./font-checker.ts";
import { lacksFormulas } from "./formulas.ts";
import { GroupConverter } from "./group-converter.ts";
import { heldFolder, readPlainFile } from "./held-folder.ts";
import { BAIT, longCanary, losesBait, showsBait } from "./long-canary.ts";
import type { ConvertRequest, DocumentReply, LaneStart } from "./messages.ts";
import { Preparation, type Prepared } from "./prepare.ts";
import { StyleSlimmer } from "./slim.ts";

/** The results for the documents of a request. */
export interface Converted {
  readonly documents: readonly DocumentReply[];
  /** The reason why documents of the group should no longer be sent together; null if they may be. */
  readonly refused: string | null;
  /** The structural forms of the group that were proven for the first time. */
  readonly proven: readonly number[];
}

/** Number of groups to remember. An evicted group must be proven again. */
const MAX_GROUPS = 20;

/** Converts documents in a lane. Receives the supervisor's requests and passes the documents to LibreOffice. */
export class DocumentConverter {
  readonly #office: Office;
  readonly #preparation: Preparation;
  readonly #start: LaneStart;
  readonly #slimmer = new StyleSlimmer();
  readonly #groups = new LRUCache<string, GroupConverter>({ max: MAX_GROUPS });
  /**
   * Whether the running LibreOffice has failed with a document. If it ran out of memory, it would fail with all later
   * documents.
   */
  #isDoubtful = false;
  #number = 0;
  /**
   * The folder where documents are written for LibreOffice, with its path as seen by LibreOffice and by this process.
   */
  readonly #inputs: Exchange;

  constructor(office: Office, fonts: FontChecker, start: LaneStart) {
    this.#office = office;
    this.#start = start;
    const work = joinPath(start.folder, "work");
    this.#inputs = { folder: work, seen: heldFolder(work) };
    this.#preparation = new Preparation(fonts, {
      lacksFormulas: start.mode !== "wasm" && lacksFormulas(start.soffice),
      cleaned: start.seal.cleaned,
    });
  }

  /**
   * Converts a test document to check that conversion works and to preload what the first document needs. The document
   * links to an existing picture file. The result says whether LibreOffice followed the link, and whether cleaning
   * removes it.
   */
  async prove(): Promise<Pick<ConverterSeal, "cleaned" | "hardened">> {
    const bait = joinPath(this.#inputs.seen, "bait.png");
    writeFileSync(bait, BAIT);
    const canary = longCanary(pathToFileURL(joinPath(this.#inputs.folder, "bait.png")).href);
    const pdf = await this.#export(canary, exportJob({}));
    rmSync(bait, { force: true });
    const check = await checkPdf(pdf, { text: true, encrypted: false });
    if ("problem" in check) throw new OfficeFailure(check.problem, await this.#office.log());
    return {
      cleaned: this.#start.seal.cleaned && losesBait(canary),
      hardened: !showsBait(pdf),
    };
  }

  /** Like {@link prove}, but checks only the profile. For `fresh`, where each document gets a new LibreOffice. */
  async proveProfile(): Promise<Pick<ConverterSeal, "cleaned" | "hardened">> {
    const { folder, seal } = this.#start;
    const { cleaned } = seal;
    return {
      cleaned,
      hardened: seal.hardened && (await isIntact(joinPath(folder, "profile"), seal)),
    };
  }

  /**
   * Converts the documents of a request. Rejects if this lane cannot continue because LibreOffice ended or the lane's
   * folder was deleted.
   */
  async convert(request: ConvertRequest): Promise<Converted> {
    const { pdf } = request;
    const prepared: (Prepared | DocumentReply)[] = [];
    for (const document of request.documents) {
      prepared.push(await this.#preparation.prepare(document, request));
    }
    const good = prepared.filter((each): each is Prepared => !("type" in each));
    const group =
      request.group === null || good.length < 2 ? null : this.#group(request.group, request.proven);
    const replies = (await group?.convert(good)) ?? [];
    const documents: DocumentReply[] = [];
    for (const each of prepared) {
      if ("type" in each) documents.push(each);
      else documents.push(replies[good.indexOf(each)] ?? (await this.#convertOne(each, pdf)));
    }
    return { documents, refused: group?.refused ?? null, proven: group?.takeProven() ?? [] };
  }

  /**
   * Returns the converter of a group. Documents of a group never have PDF options. `proven`: the forms that another
   * lane has proven for it.
   */
  #group(name: string, proven: readonly number[]): GroupConverter {
    const known = this.#groups.get(name);
    if (known !== undefined) return known;
    const tools = {
      single: (document: Prepared) => this.#convertOne(document, {}),
      exportJoined: (bytes: Uint8Array, text: boolean) => this.#exportJoined(bytes, text),
    };
    const group = new GroupConverter(tools, proven);
    this.#groups.set(name, group);
    return group;
  }

  async #exportJoined(bytes: Uint8Array, text: boolean): Promise<Buffer> {
    const docx = openDocx(bytes, { rendered: true });
    const pdf = await this.#export(this.#lean(docx, {}), exportJob({}, { destinations: true }));
    const check = await checkPdf(pdf, { text, encrypted: false });
    if (!("problem" in check)) return pdf;
    this.#doubt();
    this.#checkFolder();
    throw new OfficeFailure(check.problem, await this.#office.log());
  }

  async #convertOne(document: Prepared, pdf: PdfOptions): Promise<DocumentReply> {
    if (this.#isDoubtful) return { type: "elsewhere" };
    const { docx, warnings, hasText } = document;
    const impossible = impossibleFor(this.#start.mode, pdf);
    if (impossible !== null) return failed(impossible, "");
    try {
      const kept = keepFieldResults(docx, this.#office.version);
      const source = document.uncleaned ?? this.#lean(kept.docx, pdf);
      const job = exportJob(pdf, { relativeLinks: !document.namesFiles });
      const bytes = await this.#export(source, job);
      const encrypted = pdf.openPassword !== undefined || pdf.permissionPassword !== undefined;
      const text = hasText && pdf.pages === undefined;
      const check = await checkPdf(bytes, { text, encrypted });
      if ("problem" in check) {
        this.#doubt();
        this.#checkFolder();
        return failed(check.problem, await this.#office.log());
      }
      const encryption = encrypted ? encryptionOf(bytes) : "strong";
      if (encryption === "none") return failed("wrote a PDF that is not encrypted", "");
      steady(bytes, pdf.metadata?.date ?? document.modified);
      const allWarnings = [...warnings, ...kept.warnings];
      if (encryption === "weak") allWarnings.push(WEAK_ENCRYPTION);
      return { type: "converted", bytes, pages: check.pages, warnings: allWarnings, joined: false };
    } catch (error) {
      if (error instanceof OfficeEnded || !(error instanceof OfficeFailure)) throw error;
      return failed(error.problem, error.message);
    }
  }

  #doubt(): void {
    this.#isDoubtful = this.#start.mode !== "fresh";
  }

  /** After a failure: throws if it is due to the folder for temporary files. The lane then ends. */
  #checkFolder(): void {
    const { folder } = this.#start;
    const trouble = folderTrouble(folder);
    if (trouble !== null) throw new Error(`The folder ${folder} ${trouble}.`);
  }

  /** Returns the docx without unused styles. Keeps all styles if indexes are updated. */
  #lean(docx: Docx, { updateIndexes }: PdfOptions): Uint8Array {
    return updateIndexes ? docx.bytes : this.#slimmer.slim(docx);
  }

  /** Converts a docx. Returns the PDF as LibreOffice wrote it. */
  async #export(docx: Uint8Array, job: Omit<ExportJob, "input" | "output">): Promise<Buffer> {
    const { folder, mode, seal } = this.#start;
    if (mode === "fresh") {
      if (!(await isIntact(joinPath(folder, "profile"), seal)))
        throw new Error("The profile is missing.");
    }
    this.#number += 1;
    const inputs = this.#inputs;
    const outputs = this.#office.outputs ?? inputs;
    const [docxName, pdfName] = [`${this.#number}.docx`, `${this.#number}.pdf`];
    const written = joinPath(inputs.seen, docxName);
    const made = joinPath(outputs.seen, pdfName);
    // This process has nothing else to do at this point. The files are usually in memory (/dev/shm), where asynchronous
    // calls would take longer than the work itself.
    writeFileSync(written, docx);
    try {
      const input = joinPath(inputs.folder, docxName);
      await this.#office.convert({ ...job, input, output: joinPath(outputs.folder, pdfName) });
      const pdf = readPlainFile(made);
      if (pdf === null) throw new OfficeFailure("wrote no PDF", "");
      return pdf;
    } catch (error) {
      this.#doubt();
      this.#checkFolder();
      throw error;
    } finally {
      rmSync(written, { force: true });
      rmSync(made, { force: true });
    }
  }
}

function failed(problem: string, detail: string): DocumentReply {
  return { type: "failed", refused: false, problem, detail, diagnostics: [] };
}
