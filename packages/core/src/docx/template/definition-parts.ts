const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';

/** The root of a part that has no content, as one with an end tag of its own. */
function opened(xml: string, root: string): string {
  return xml.replace(/\/>\s*$/, `></${root}>`);
}

/** A numbering part, canonical XML or null for none, with more list definitions (`w:abstractNum`) and lists (`w:num`). */
export function withLists(xml: string | null, definitions: string, lists: string): string {
  const whole = opened(xml ?? `${HEAD}<w:numbering ${MAIN}/>`, "w:numbering");
  // Definitions stand before lists, and these before what Word keeps for itself.
  const end = whole.search(/<w:numIdMacAtCleanup|<\/w:numbering>\s*$/);
  const firstList = whole.search(/<w:num[ >]/);
  const split = firstList === -1 ? end : firstList;
  return whole.slice(0, split) + definitions + whole.slice(split, end) + lists + whole.slice(end);
}

/** A styles part, canonical XML or null for none, with more styles (`w:style`). */
export function withStyles(xml: string | null, styles: string): string {
  const whole = opened(xml ?? `${HEAD}<w:styles ${MAIN}/>`, "w:styles");
  return whole.replace(/<\/w:styles>\s*$/, () => `${styles}</w:styles>`);
}
