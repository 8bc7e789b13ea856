/** The names of the elements with a chart's numbers while a part is lexed, so that no tags are found in them. */
export const HELD_NUMBERS: ReadonlyMap<string, string> = new Map([
  ["c:heldNumber", "c:v"],
  ["cx:heldNumber", "cx:pt"],
]);

/** The parts of a chart that contain only numbers. */
export const NUMBERS: readonly string[] = ["c:numCache", "c:numLit", "cx:numDim"];

/**
 * Matches the parts of a chart that contain only numbers. Empty elements are excluded, because they have no end tag,
 * and searching for one after each of them would take quadratic time.
 */
const NUMBERS_IN_XML = new RegExp(`<(${NUMBERS.join("|")})(?: [^>]*)?(?<!/)>.*?</\\1>`, "gs");

/**
 * Hides the numbers of a chart, because text in place of a number makes the chart unreadable. The part is canonical
 * XML.
 */
export function holdNumbers(xml: string): string {
  if (!NUMBERS.some((name) => xml.includes(`<${name}`))) return xml;
  return xml.replace(NUMBERS_IN_XML, (numbers) =>
    numbers.replace(/<(\/?)(c(?=:v)|cx(?=:pt)):[a-z]+(?=[ />])/g, "<$1$2:heldNumber"),
  );
}
