import { promisify } from "node:util";
import { libreOffice } from "@quire/pdf-libreoffice";
import libreOfficeConvert from "libreoffice-convert";
import { LIBREOFFICE_CONVERT, ONE_LANE, TWO_LANES } from "./all.ts";

/** A peer that runs in Node. */
export interface RunningConverter {
  convert(document: Uint8Array): Promise<Uint8Array>;
  close(): Promise<void>;
}

/** Starts a peer. Throws for a peer that does not run in Node. */
export function startConverter(peer: string): RunningConverter {
  switch (peer) {
    case LIBREOFFICE_CONVERT.name:
      return asItsReadmeShows();
    case ONE_LANE.name:
      return pool(1);
    case TWO_LANES.name:
      return pool(2);
    default:
      throw new Error(`'${peer}' does not run in Node.`);
  }
}

function asItsReadmeShows(): RunningConverter {
  const convert = promisify(libreOfficeConvert.convert);
  return {
    convert: (document) => convert(Buffer.from(document), "pdf", undefined),
    close: async () => {},
  };
}

/**
 * Starts a pool that converts each document separately, without a cache for equal documents and without joining
 * documents.
 */
function pool(lanes: number): RunningConverter {
  const converter = libreOffice({ lanes, cacheMb: 0, join: "off" });
  return {
    convert: async (document) => (await converter.convert(document, { rendered: true })).bytes,
    close: () => converter.close(),
  };
}
