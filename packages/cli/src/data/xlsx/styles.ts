import { type DigitMask, digitMaskOf } from "./digit-mask.ts";
import { readXml, type XmlPlace } from "./xml.ts";

/** How a number is shown. `elapsed` is a time span such as 36:30. */
export type NumberForm = "number" | "date" | "datetime" | "time" | "elapsed" | DigitMask;

/** More than Excel's own limit of 65,490 styles. */
const MAX_STYLES = 100_000;

/** The formats that Excel identifies only by number, in any language. */
const BUILT_IN: readonly (readonly [from: number, to: number, form: NumberForm])[] = [
  [14, 17, "date"],
  [18, 21, "time"],
  [22, 22, "datetime"],
  [27, 31, "date"],
  [32, 33, "time"],
  [34, 36, "date"],
  [45, 45, "time"],
  [46, 46, "elapsed"],
  [47, 47, "time"],
  [50, 58, "date"],
];

/** Reads how each cell style shows numbers. Throws `invalid_data` or `limit_exceeded`. */
export async function readStyles(
  place: XmlPlace,
  content: AsyncIterable<Uint8Array>,
): Promise<readonly NumberForm[]> {
  const codes = new Map<number, string>();
  const ids: number[] = [];
  await readXml(place, content, {
    open(name, attributes, path) {
      const id = Number(attributes.numFmtId ?? 0);
      if (codes.size > MAX_STYLES || ids.length > MAX_STYLES) return;
      if (name === "numFmt" && path.at(-1) === "numFmts")
        codes.set(id, attributes.formatCode ?? "");
      else if (name === "xf" && path.at(-1) === "cellXfs") ids.push(id);
    },
  });
  return ids.map((id) => {
    const code = codes.get(id);
    return code === undefined ? builtIn(id) : formOf(code);
  });
}

function builtIn(id: number): NumberForm {
  return BUILT_IN.find(([from, to]) => id >= from && id <= to)?.[2] ?? "number";
}

/** Returns how a custom format shows a number, such as `dd.mm.yyyy hh:mm` or `#,##0.00 "days"`. */
export function formOf(code: string): NumberForm {
  // All sections of a format are checked together, because they show the same kind of value.
  const bare = code
    .replace(/"[^"]*"?|\\.|[_*]./g, "")
    .replace(/General|Standard/gi, "")
    .toLowerCase();
  if (/\[(?:h+|m+|s+)\]/.test(bare)) return "elapsed";
  const letters = bare.replace(/\[[^\]]*\]/g, "").replace(/am\/pm|a\/p/g, "h");
  const isTime = /[hs]/.test(letters);
  // An m next to hours or seconds is a minute.
  const isDate = /[yd]/.test(letters) || (/m/.test(letters) && !isTime);
  if (isDate) return isTime ? "datetime" : "date";
  return isTime ? "time" : (digitMaskOf(code) ?? "number");
}
