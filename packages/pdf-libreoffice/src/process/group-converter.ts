import {
  type JoinableDocument,
  type JoinReader,
  joinRead,
  joinReader,
} from "../join/join-documents.ts";
import { type SplitPdf, splitPdf } from "../join/pdf/split-pdf.ts";
import { differenceBetween } from "../join/same-document.ts";
import { type JoinTrust, joinTrust } from "../join/trust.ts";
import { OfficeEnded, OfficeFailure } from "../office/office.ts";
import { UnsupportedPdf } from "../pdf/pdf-syntax.ts";
import { steady } from "../pdf/steady.ts";
import type { DocumentReply } from "./messages.ts";
import type { Prepared } from "./prepare.ts";

/** The functions of the lane that a group needs. */
export interface GroupTools {
  /** Converts a document alone. */
  single(document: Prepared): Promise<DocumentReply>;
  /**
   * Converts a joined docx to a PDF with named destinations. `text`: whether the PDF must contain text. If this rejects
   * with {@link OfficeFailure}, this LibreOffice converts no more documents.
   */
  exportJoined(docx: Uint8Array, text: boolean): Promise<Buffer>;
}

const ALONE: DocumentReply = { type: "alone" };

/** A document and its index in the request. */
interface Candidate {
  readonly index: number;
  readonly document: Prepared;
  readonly joinable: JoinableDocument;
}

/**
 * Converts documents of one template as a single document if that was proven to give the same result, and splits the
 * PDF. If anything is unexpected, each document is converted alone. Exists as long as the lane remembers the group.
 */
export class GroupConverter {
  readonly #tools: GroupTools;
  readonly #reader: JoinReader = joinReader();
  readonly #trust: JoinTrust;

  /** `proven`: the structural forms that another lane has proven for this group. */
  constructor(tools: GroupTools, proven: readonly number[]) {
    this.#tools = tools;
    this.#trust = joinTrust(proven);
  }

  /** The reason why documents of this group are no longer joined; null if they may be joined. */
  get refused(): string | null {
    return this.#trust.refused;
  }

  /** Returns the structural forms that were proven since the last call. */
  takeProven(): readonly number[] {
    return this.#trust.takeProven();
  }

  /**
   * Converts the documents. Returns the results in the same order. If some were joined, the others must be sent again,
   * each alone.
   */
  async convert(documents: readonly Prepared[]): Promise<DocumentReply[]> {
    const replies = new Map<number, DocumentReply>();
    let hasFailed = false;
    let waiting = this.#read(documents);
    while (waiting.length > 0) {
      const plan = this.#trust.plan(
        waiting.map(({ joinable }) => joinable),
        true,
      );
      if (plan.group !== null) {
        const members = pick(waiting, plan.group.members);
        const joined = await this.#convertJoined(members, plan.group.compare);
        hasFailed = joined === null;
        if (joined === null) break;
        for (const [index, reply] of joined) replies.set(index, reply);
      }
      waiting = plan.group === null ? [] : pick(waiting, plan.later);
    }
    const leaves = replies.size > 0 && !hasFailed;
    const all: DocumentReply[] = [];
    for (const [index, document] of documents.entries()) {
      const reply = replies.get(index) ?? (leaves ? ALONE : await this.#single(document));
      all.push(reply);
    }
    return all;
  }

  /** Reads the documents that can be joined. If no document can be joined, refuses the whole template. */
  #read(documents: readonly Prepared[]): Candidate[] {
    const candidates: Candidate[] = [];
    let reason: string | null = null;
    for (const [index, document] of documents.entries()) {
      if (this.refused !== null) break;
      const joinable = alone(document) ?? this.#reader.read(document.docx.bytes);
      if ("reason" in joinable) reason = joinable.reason;
      else candidates.push({ index, document, joinable });
    }
    if (candidates.length === 0 && reason !== null) this.#trust.refuse(reason);
    return candidates;
  }

  /**
   * The replies by index of the document; null if LibreOffice failed, which can be due to one of the documents.
   * `planned`: positions in the group that are always compared.
   */
  async #convertJoined(
    members: readonly Candidate[],
    planned: readonly number[],
  ): Promise<Map<number, DocumentReply> | null> {
    const replies = new Map<number, DocumentReply>();
    const began = performance.now();
    const parts = await this.#parts(members);
    if (parts === null) return null;
    this.#trust.took("joined", members.length, performance.now() - began);
    if (typeof parts === "string") {
      this.#trust.refuse(parts);
      return replies;
    }
    const joinables = members.map(({ joinable }) => joinable);
    const pages = parts.map((part) => part?.pages ?? null);
    const { alone, compare } = this.#trust.check(joinables, pages, planned);
    const differences = new Map<number, string | null>();
    for (const place of compare) {
      const { index, document } = members[place] as Candidate;
      const single = await this.#single(document);
      replies.set(index, single);
      differences.set(place, differenceOf(single, parts[place] ?? null));
    }
    if (!this.#trust.report(joinables, pages, differences)) return replies;
    for (const [place, { index, document }] of members.entries()) {
      const part = alone.includes(place) ? null : (parts[place] ?? null);
      if (part === null) continue;
      const bytes = Buffer.from(part.bytes.buffer, part.bytes.byteOffset, part.bytes.length);
      steady(bytes, document.modified);
      const { warnings } = document;
      const { pages: count } = part;
      replies.set(index, { type: "converted", bytes, pages: count, warnings, joined: true });
    }
    return replies;
  }

  async #single(document: Prepared): Promise<DocumentReply> {
    const began = performance.now();
    const reply = await this.#tools.single(document);
    this.#trust.took("alone", 1, performance.now() - began);
    return reply;
  }

  /**
   * The PDFs of a group; null for a document that must be converted alone. A string is the reason why documents of this
   * template cannot be joined; null: LibreOffice failed.
   */
  async #parts(
    members: readonly Candidate[],
  ): Promise<readonly (SplitPdf | null)[] | string | null> {
    const joined = joinRead(members.map(({ joinable }) => joinable));
    if ("reason" in joined) return joined.reason;
    try {
      const text = members.some(({ document }) => document.hasText);
      return splitPdf(await this.#tools.exportJoined(joined.bytes, text), members.length);
    } catch (error) {
      if (error instanceof UnsupportedPdf) return error.message;
      if (error instanceof OfficeEnded || !(error instanceof OfficeFailure)) throw error;
      return null;
    }
  }
}

function differenceOf(single: DocumentReply, joined: SplitPdf | null): string | null {
  if (single.type !== "converted") return "a document that cannot be converted alone";
  return joined === null ? null : differenceBetween(single.bytes, joined.bytes);
}

function pick<T>(items: readonly T[], places: readonly number[]): T[] {
  return places.flatMap((place) => items[place] ?? []);
}

/** Returns why a document must not be joined, because it would affect the other documents; null if it may be joined. */
function alone({ bringsFonts, namesFiles }: Prepared): { readonly reason: string } | null {
  if (bringsFonts) return { reason: "documents with embedded fonts" };
  return namesFiles ? { reason: "links with absolute paths of files" } : null;
}
