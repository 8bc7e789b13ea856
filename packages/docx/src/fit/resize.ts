import { SHRINK_MARK, type SizedRun } from "./read-text.ts";
import { childOf, type XmlElement } from "./xml-tree.ts";

/** A range of a text, and the XML that replaces it. */
interface Edit {
  readonly from: number;
  readonly to: number;
  readonly xml: string;
}

/** Returns the XML with these sizes of its runs, in half points, and without the marks of runs that shrink. */
export function resized(xml: string, runs: readonly SizedRun[], sizes: readonly number[]): string {
  const edits = runs.flatMap((run, index) => editsOf(run, sizes[index] ?? run.size));
  let written = "";
  let at = 0;
  for (const { from, to, xml: replaced } of edits.toSorted((a, b) => a.from - b.from)) {
    written += xml.slice(at, from) + replaced;
    at = to;
  }
  return written + xml.slice(at);
}

function editsOf({ element, size }: SizedRun, wanted: number): Edit[] {
  const isMark = element.name === "w:p";
  const around = isMark ? childOf(element, "w:pPr") : element;
  const properties = childOf(around, "w:rPr");
  const sized = wanted === size ? "" : `<w:sz w:val="${wanted}"/><w:szCs w:val="${wanted}"/>`;
  if (properties !== undefined) return editsOfProperties(properties, sized);
  if (sized === "") return [];
  const made = `<w:rPr>${sized}</w:rPr>`;
  if (around !== undefined) {
    const next = isMark ? around.children.find(({ name }) => AFTER_MARK.has(name)) : undefined;
    const place = isMark ? (next?.start ?? around.innerEnd) : around.inner;
    return inserted(around, place, made);
  }
  return inserted(element, element.inner, `<w:pPr>${made}</w:pPr>`);
}

/** Elements after the properties of a paragraph's mark. */
const AFTER_MARK: ReadonlySet<string> = new Set(["w:sectPr", "w:pPrChange"]);

/** Inserts XML into an element, which may be empty. */
function inserted(into: XmlElement, at: number, xml: string): Edit[] {
  const isClosed = into.innerEnd === into.end;
  if (!isClosed) return [{ from: at, to: at, xml }];
  return [
    {
      from: into.start,
      to: into.end,
      xml: `<${into.name}${into.attributes}>${xml}</${into.name}>`,
    },
  ];
}

function editsOfProperties(properties: XmlElement, sized: string): Edit[] {
  const dropped = new Set(sized === "" ? [SHRINK_MARK] : [SHRINK_MARK, "w:sz", "w:szCs"]);
  const edits = properties.children
    .filter(({ name }) => dropped.has(name))
    .map(({ start, end }) => ({ from: start, to: end, xml: "" }));
  if (sized === "") {
    const isEmpty = edits.length > 0 && edits.length === properties.children.length;
    return isEmpty ? [{ from: properties.start, to: properties.end, xml: "" }] : edits;
  }
  const next = properties.children.find(
    ({ name }) => AFTER_SIZE.has(name) || !name.startsWith("w:"),
  );
  const before = { from: next?.start ?? properties.innerEnd, xml: sized };
  return [...inserted(properties, before.from, sized), ...edits];
}

/** Properties that come after the size in the schema, before Word's extensions (ECMA-376 part 1, 17.3.2.28). */
const AFTER_SIZE: ReadonlySet<string> = new Set(
  "w:highlight w:u w:effect w:bdr w:shd w:fitText w:vertAlign w:rtl w:cs w:em w:lang w:eastAsianLayout w:specVanish w:oMath w:rPrChange".split(
    " ",
  ),
);
