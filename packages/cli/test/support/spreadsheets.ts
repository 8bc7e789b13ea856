/** Generates the documents of the rows in a data file without a run. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { compileTemplate, type Diagnostic, isQuireError } from "@quire/core";
import { openData } from "../../src/actions/open-data.ts";
import { parseTypes } from "../../src/entries/column-types.ts";
import type { DataFlags } from "../../src/options/data.ts";
import { docx, linesOfBytes } from "./docx.ts";

/** Command line options. */
export interface GivenFlags extends Omit<DataFlags, "types"> {
  readonly types?: string;
}

/** A row that was rejected, or whose document could not be generated. */
export interface Refused {
  readonly refused: readonly string[];
}

/** Returns the document of each row as lines, with ` ! code` for each warning, or the reasons for a rejection. */
export async function documentsOf(
  folder: string,
  { name = "data.csv", content, tags, flags = {} }: Sheet,
): Promise<(string | Refused)[]> {
  await writeFile(join(folder, name), content);
  const template = await compileTemplate(docx(tags));
  const { types, ...others } = flags;
  const file = await openData({ cwd: folder }, name, {
    flags: types === undefined ? others : { ...others, types: parseTypes(types) },
  });
  const found: (string | Refused)[] = [];
  for await (const { entry, where } of file.entries([template]).items()) {
    try {
      if (isQuireError(entry)) throw entry;
      const { bytes, warnings } = template.render(entry.data, { onMissing: "blank" });
      const told = warnings.filter(({ code }) => code !== "unused_value");
      found.push(linesOfBytes(bytes).join(" / ") + told.map(({ code }) => ` ! ${code}`).join(""));
    } catch (error) {
      if (!isQuireError(error)) throw error;
      const { message, diagnostics } = error;
      found.push({
        refused: diagnostics.length === 0 ? [message] : diagnostics.map(inWords(where)),
      });
    }
  }
  return found;
}

/** A data file and the paragraphs of a template. */
export interface Sheet {
  readonly name?: string;
  readonly content: string | Uint8Array;
  readonly tags: readonly string[];
  readonly flags?: GivenFlags;
}

function inWords(where: string | undefined): (diagnostic: Diagnostic) => string {
  return ({ code, message, hint }) =>
    code === "invalid_cell" ? `${where}: ${message} ${hint}` : `${message} ${hint ?? ""}`.trim();
}
