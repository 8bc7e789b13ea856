import PizZip from "pizzip";
import { compressedOf, isStored } from "./archive.ts";

/**
 * The date of every entry: the first that a zip can hold. It is given in local time because that is
 * what zip dates are; so the bytes are the same in every time zone.
 */
const FIXED_DATE = new Date(1980, 0, 1);

/** Writes copies of one package in which some parts are different. */
export interface PackageWriter {
  /**
   * The package with these parts' text put in place; all other entries are copied as they are,
   * compressed or not. The same parts give the same bytes.
   */
  write(parts: ReadonlyMap<string, string>): Uint8Array;
}

/** A writer over a package's bytes, which must not change afterwards. */
export function createWriter(bytes: Uint8Array): PackageWriter {
  // A second instance, never read from: pizzip inflates an entry for good once its text was asked for.
  const template = new PizZip(bytes);
  for (const entry of Object.values(template.files)) {
    entry.date = FIXED_DATE;
    // Else pizzip compresses it anew for each document.
    if (!entry.dir && isStored(compressedOf(entry))) entry.options.compression = "STORE";
  }
  return {
    write(parts) {
      const zip = new PizZip();
      Object.assign(zip.files, template.files);
      for (const [name, text] of parts) {
        zip.file(name, Buffer.from(text), { date: FIXED_DATE, createFolders: false });
      }
      return zip.generate({ type: "uint8array", compression: "DEFLATE" });
    },
  };
}
