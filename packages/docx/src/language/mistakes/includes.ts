import { TEXT, type Written } from "./written.ts";

/** Returns a tag that includes a template, written as in another language: `insert "terms.docx"`. */
export function includeMeant(tag: Written): string | null {
  if (!/^#?\s*(?:in|im|rd)/i.test(tag.text)) return null;
  return tag.replace(
    String.raw`^#?\s*(?:include|includetext|insert|import|rd)\s*\(?\s*(${TEXT})\s*\)?(?:\s+(?:with|using)\s.*)?$`,
    ([, name]) => `include ${name}`,
    "i",
  );
}

/** Whether the name of an included template is joined with values: `include "terms-" + lang`. */
export function isIncludeByData(content: string): boolean {
  return /^include\s*(?:"[^"]*"|'[^']*'|[“„][^“”]*[“”])\s*[+&]/.test(content);
}
