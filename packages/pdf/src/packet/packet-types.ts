import type { Diagnostic } from "@quire/contracts";

/** Options of `createPacket`. */
export interface PacketOptions {
  /** The title of the packet, which readers show instead of the file's name. Default: none. */
  readonly title?: string | undefined;
  /**
   * Whether content that several sources have in common (fonts, pictures, complete page contents) is written again for
   * each source. Default false.
   */
  readonly keepDuplicates?: boolean | undefined;
  /**
   * For double-sided printing: adds a blank page of the same size after a source with an odd number of pages, so that
   * each source begins on a new sheet. Default false.
   */
  readonly evenPages?: boolean | undefined;
  /** Maximum size of the packet in bytes. Default and maximum: 9,999,999,999, the largest size that PDF allows. */
  readonly maxBytes?: number | undefined;
}

/** One source of a {@link Packet}. */
export interface PacketEntry {
  /** The text of the source's bookmark. */
  readonly title: string;
  /** The name of the source in errors and warnings. Default: its title. */
  readonly name?: string | undefined;
  /** Whether the bookmark has the source's own title, if the source has one. Default false. */
  readonly useOwnTitle?: boolean | undefined;
  /** Puts the bookmark below a bookmark with this name. Groups are in the order of their first entries. */
  readonly group?: string | undefined;
}

/** The pages of a source within the packet. */
export interface PacketPages {
  /** The number of the source's first page in the packet, from 1. */
  readonly firstPage: number;
  /** Number of pages of the source. */
  readonly pages: number;
  /** The text of the source's bookmark. */
  readonly title: string;
}

/** Summary of a finished packet. */
export interface PacketSummary {
  /** Number of merged sources, without rejected ones. */
  readonly entries: number;
  /** Number of pages, including blank pages. */
  readonly pages: number;
  /** Number of blank pages that `evenPages` added. */
  readonly blankPages: number;
  /** Size of the packet in bytes. */
  readonly bytes: number;
  /**
   * Content of sources that was not written again because the packet already contained it: the number of PDF objects,
   * and their size in bytes.
   */
  readonly shared: { readonly objects: number; readonly bytes: number };
  /** Parts of sources that the packet does not keep. One warning per kind, with the number of sources. */
  readonly warnings: readonly Diagnostic[];
}

/** Merges many PDFs into one. */
export interface Packet {
  /**
   * Appends a PDF. Concurrent calls run in order. When the promise resolves, only some bytes per object, page and
   * bookmark of the source remain in memory. Rejects `invalid_data` for a source that is encrypted, damaged or not a
   * PDF, and `limit_exceeded` for a source that exceeds the size limit. In these cases, no part of the source is added,
   * and further sources can still be added. If `write` throws, the packet fails: every later call rejects with the same
   * error.
   */
  add(pdf: Uint8Array, entry: PacketEntry): Promise<PacketPages>;
  /**
   * Writes the rest: the bookmarks, the page tree and the cross-reference stream. Afterwards, nothing can be added.
   * Rejects `invalid_request` for a packet without pages; in that case, nothing is written.
   */
  finish(): Promise<PacketSummary>;
}
