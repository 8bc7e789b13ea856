import type { Diagnostic } from "../errors.ts";

/** Options of `createPacket`. */
export interface PacketOptions {
  /** The title of the packet, which readers show in place of the file's name. Default: none. */
  readonly title?: string | undefined;
  /** What is equal in several sources (fonts, pictures, whole contents of pages) is written each time. */
  readonly keepDuplicates?: boolean | undefined;
  /** No packet larger than this, in bytes. Default and most: 9,999,999,999, the largest that PDF allows for. */
  readonly maxBytes?: number | undefined;
}

/** One source of a {@link Packet}. */
export interface PacketEntry {
  /** The text of its bookmark. */
  readonly title: string;
  /** What errors and warnings call the source. Default: its title. */
  readonly name?: string | undefined;
  /** The bookmark has the title that the source gives itself, where it does. Default false. */
  readonly useOwnTitle?: boolean | undefined;
  /** Its bookmark stands below one of this name. Groups come in the order of their first entries. */
  readonly group?: string | undefined;
}

/** Which pages of a packet a source has become. */
export interface PacketPages {
  /** From 1. */
  readonly firstPage: number;
  readonly pages: number;
  /** The text of its bookmark. */
  readonly title: string;
}

/** What has become of a packet. */
export interface PacketSummary {
  /** The sources in it, without those that were refused. */
  readonly entries: number;
  readonly pages: number;
  readonly bytes: number;
  /** What was there already and not written again. */
  readonly shared: { readonly objects: number; readonly bytes: number };
  /** What sources had and the packet has not, each kind once with the number of its sources. */
  readonly warnings: readonly Diagnostic[];
}

/** Many PDFs that become one. */
export interface Packet {
  /**
   * Appends a PDF; several calls at once are done in their order. When it resolves, nothing of the source
   * is held but some bytes per object, page and bookmark. Rejects `invalid_data` for a source that is
   * encrypted, damaged or no PDF, and `limit_exceeded` for one that the packet has no room for: nothing of
   * it is in the packet, which goes on without. What `write` throws ends the packet: every later call
   * rejects with it.
   */
  add(pdf: Uint8Array, entry: PacketEntry): Promise<PacketPages>;
  /**
   * Writes what is left: bookmarks, the tree of pages, the table of objects. Nothing can be added after it.
   * Rejects `invalid_request` for a packet without a page; nothing has been written then.
   */
  finish(): Promise<PacketSummary>;
}
