import { SHOWN, VOID } from "./elements.ts";
import { marksOf } from "./scan.ts";

/**
 * Whether a string is HTML: it contains at least one complete element that becomes Word content, that is, a start tag
 * followed by its end tag, or an element without content such as `<br>`. `a < b and c > d`, `<name>` and `<p>` alone
 * are plain text. Takes linear time.
 */
export function looksLikeHtml(text: string): boolean {
  if (!text.includes("<")) return false;
  const open = new Set<string>();
  for (const mark of marksOf(text)) {
    if (mark.kind !== "tag" || !SHOWN.has(mark.name)) continue;
    if (mark.closing ? open.has(mark.name) : VOID.has(mark.name)) return true;
    if (!mark.closing) open.add(mark.name);
  }
  return false;
}
