import {
  type Diagnostic,
  isQuireError,
  parseBatchRequest,
  prepareImages,
  type QuireError,
  type RenderOptions,
  type Template,
} from "@quire/core";
import type { DataEntry, DataItem } from "../entries/entry.ts";
import type { FileNames } from "../files/file-names.ts";
import type { FileReader } from "../files/folder-files.ts";
import type { SvgFonts } from "../files/svg-fonts.ts";

/** The inputs for checking an entry. */
export interface CheckContext {
  readonly template: Template;
  readonly options: RenderOptions;
  /** Reads the images that the data names. */
  readonly readFile: FileReader;
  readonly names: FileNames;
  /** The fonts for text in SVGs; undefined for none. */
  readonly svgFonts: SvgFonts | undefined;
}

/** Returns the problems that an error reports. */
export function diagnosticsOf({ code, message, diagnostics }: QuireError): readonly Diagnostic[] {
  return diagnostics.length > 0 ? diagnostics : [{ severity: "error", code, message }];
}

/**
 * Returns everything that a run would report about an entry, without generating its document. Excludes warnings about
 * the template alone, names that other files have, and the findings of a conversion.
 */
export async function checkEntry(
  entry: DataItem["entry"],
  { template, options, readFile, names, svgFonts: fonts }: CheckContext,
): Promise<readonly Diagnostic[]> {
  if (isQuireError(entry)) return diagnosticsOf(entry);
  try {
    await assertRequest(entry, names.of(entry, "1"));
    const { data, locale = options.locale, timeZone = options.timeZone } = entry;
    const images = await prepareImages(data, { readFile, ...(fonts && { fonts }) });
    const found = template.check(data, { ...options, locale, timeZone, images });
    const own = new Set(template.warnings);
    return found.filter((each) => !own.has(each) && !names.use(each));
  } catch (error) {
    if (!isQuireError(error)) throw error;
    return diagnosticsOf(error).map(withoutRequest);
  }
}

/** Checks what a batch checks before it renders an entry. Throws the same errors. */
async function assertRequest({ data, locale, timeZone }: DataEntry, name: string): Promise<void> {
  await parseBatchRequest({
    file: { type: "file", id: "template" },
    input_source: "api",
    destination_folder: { type: "folder", id: "out" },
    output_type: "docx",
    document_generation_data: [
      { generated_file_name: name, user_input: data, locale, time_zone: timeZone },
    ],
  });
}

const FIELD = "/document_generation_data/0";
const INPUT = `${FIELD}/user_input`;

/** Converts a JSON Pointer into the batch request to a pointer into the entry or its data. */
function withoutRequest({ pointer, ...problem }: Diagnostic): Diagnostic {
  if (pointer === undefined) return problem;
  const prefix = [INPUT, FIELD].find((each) => pointer.startsWith(each)) ?? "";
  return { ...problem, pointer: pointer.slice(prefix.length) };
}
