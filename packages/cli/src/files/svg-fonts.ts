import { createHash } from "node:crypto";
import { readFontFolder } from "@quire/core/host";
import { type Io, pathIn } from "../terminal/io.ts";

/** Font files for the text of SVGs. */
export type SvgFonts = readonly Uint8Array[];

/** Reads the fonts of `--svg-fonts`. Returns undefined without a folder. Rejects `invalid_request`. */
export async function svgFontsIn(
  io: Pick<Io, "cwd">,
  folder: string | undefined,
): Promise<SvgFonts | undefined> {
  return folder === undefined ? undefined : readFontFolder(pathIn(io, folder));
}

/** Returns a hash of the fonts and their order; undefined without fonts. */
export function hashOfFonts(fonts: SvgFonts | undefined): string | undefined {
  if (fonts === undefined) return undefined;
  const hash = createHash("sha256");
  for (const file of fonts) hash.update(`${file.length};`).update(file);
  return hash.digest("hex");
}
