import { loadFontData } from "./fit/font-metrics.ts";
import { loadNumberWords } from "./format/words/languages.ts";
import { expressionsOf } from "./language/directive.ts";
import { writesWords } from "./language/grammar/expression.ts";
import type { ModifierName } from "./language/grammar/modifier-signatures.ts";
import type { TagNode } from "./template/nodes/nodes.ts";
import { loadBarcodes } from "./values/image/barcode.ts";
import { hasModifier } from "./values/modifiers.ts";

/**
 * Loads the tables and libraries that only some tags need. Rendering does not wait for anything, so they are loaded
 * when a template with such tags is compiled.
 */
export async function loadTables(tags: readonly TagNode[]): Promise<void> {
  if (tags.some((tag) => has(tag, "qrcode", "barcode"))) await loadBarcodes();
  if (tags.some(({ directive }) => expressionsOf(directive).some(writesWords))) {
    await loadNumberWords();
  }
  if (tags.some((tag) => has(tag, "shrink"))) await loadFontData();
}

function has({ directive }: TagNode, ...names: readonly ModifierName[]): boolean {
  return directive.kind === "value" && names.some((name) => hasModifier(directive.modifiers, name));
}
