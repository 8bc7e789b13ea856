import type { Diagnostic } from "@quire/contracts";

/** Options of `createPacket`. */
export interface PacketOptions {
  /** The title of the packet, which readers show instead of the file's name. Default: none. */
  readonly title?: string | undefined;
  /**
   * Whether content that several sources share (fonts, pictures, complete page contents) is written once for each
   * source. Default false.
   */
  readonly keepDuplicates?: boolean | undefined;
  /**
   * For printing on both sides: adds a blank page of the same size after a source with an odd number of pages, so that
   * each source begins on a new sheet. Default false.
   */
  readonly evenPages?: boolean | undefined;
  /** Maximum size of the packet in bytes. Default and maximum: 9,999,999,999, the largest size that PDF allows. */
  readonly maxBytes?: number | undefined;
}

/** One source of a {@link Packet}. */
export interface PacketEntry {
  /** The text of its bookmark. */
  readonly title: string;
  /** The name of the source in errors and warnings. Default: its title. */
  readonly name?: string | undefined;
  /** Uses the source's own title for the bookmark, if it has one. Default false. */
  readonly useOwnTitle?: boolean | undefined;
  /** Puts its bookmark below a bookmark with this name. Groups are in the order of their first entries. */
  readonly group?: string | undefined;
}

/** The pages of a source within the packet. */
export interface PacketPages {
  /** The number of the source's first page in the packet, from 1. */
  readonly firstPage: number;
  /** How many pages the source has. */
  readonly pages: number;
  /** The text of its bookmark. */
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
  /** Size of the packet. */
  readonly bytes: number;
  /**
   * Content of sources that was already in the packet and was not written again: the number of PDF objects, and their
   * size.
   */
  readonly shared: { readonly objects: number; readonly bytes: number };
  /** Parts of sources that the packet does not keep: each kind once, with the number of sources. */
  readonly warnings: readonly Diagnostic[];
}

/** Merges many PDFs into one. */
export interface Packet {
  /**
   * Appends a PDF; concurrent calls run in order. When the promise resolves, only some bytes per object, page and
   * bookmark of the source are in memory. Rejects `invalid_data` for a source that is encrypted, damaged or not a PDF,
   * and `limit_exceeded` for a source that exceeds the size limit. In these cases, no part of the source is added, and
   * further sources can still be added. If `write` throws, the packet fails: every later call rejects with the same
   * error.
   */
  add(pdf: Uint8Array, entry: PacketEntry): Promise<PacketPages>;
  /**
   * Writes the rest: bookmarks, the page tree, the table of objects. Nothing can be added after that. Rejects
   * `invalid_request` for a packet without pages; nothing is written in that case.
   */
  finish(): Promise<PacketSummary>;
}
