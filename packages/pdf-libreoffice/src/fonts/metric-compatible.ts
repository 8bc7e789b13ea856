import { familyKey } from "./family-name.ts";

/** A free font with exactly the same letter widths as other fonts, so that line breaks stay the same. */
export interface MetricCompatibleFont {
  /** The family name of the free font. */
  readonly family: string;
  /** The families that it can replace. */
  readonly standsInFor: readonly string[];
  /** The Debian and Ubuntu package that contains the font; null if no package does. */
  readonly debianPackage: string | null;
}

const HELVETICA = ["Arial", "Helvetica"];
const TIMES = ["Times New Roman", "Times"];
const COURIER = ["Courier New", "Courier"];
const NARROW = ["Arial Narrow", "Helvetica Narrow"];
const CENTURY = ["Century Schoolbook", "New Century Schoolbook"];
const PALATINO = ["Palatino", "Palatino Linotype"];
const BOOKMAN = ["Bookman Old Style", "ITC Bookman", "Bookman"];
const AVANT_GARDE = ["ITC Avant Garde Gothic", "Avant Garde"];
const CHANCERY = ["ITC Zapf Chancery", "Zapf Chancery"];

/** The fonts that most Word documents need come first. */
export const METRIC_COMPATIBLE_FONTS: readonly MetricCompatibleFont[] = [
  font("Carlito", ["Calibri"], "fonts-crosextra-carlito"),
  font("Caladea", ["Cambria"], "fonts-crosextra-caladea"),
  font("Liberation Sans", HELVETICA, "fonts-liberation"),
  font("Liberation Serif", TIMES, "fonts-liberation"),
  font("Liberation Mono", COURIER, "fonts-liberation"),
  font("Liberation Sans Narrow", NARROW, null),
  font("Arimo", HELVETICA, "fonts-croscore"),
  font("Tinos", TIMES, "fonts-croscore"),
  font("Cousine", COURIER, "fonts-croscore"),
  font("Gelasio", ["Georgia"], null),
  font("Selawik", ["Segoe UI"], null),
  font("Nimbus Sans", HELVETICA, "fonts-urw-base35"),
  font("Nimbus Roman", TIMES, "fonts-urw-base35"),
  font("Nimbus Mono PS", COURIER, "fonts-urw-base35"),
  font("Nimbus Sans Narrow", NARROW, "fonts-urw-base35"),
  font("C059", CENTURY, "fonts-urw-base35"),
  font("P052", PALATINO, "fonts-urw-base35"),
  font("URW Bookman", BOOKMAN, "fonts-urw-base35"),
  font("URW Gothic", AVANT_GARDE, "fonts-urw-base35"),
  font("Z003", CHANCERY, "fonts-urw-base35"),
  font("TeX Gyre Heros", HELVETICA, "fonts-texgyre"),
  font("TeX Gyre Termes", TIMES, "fonts-texgyre"),
  font("TeX Gyre Cursor", COURIER, "fonts-texgyre"),
  font("TeX Gyre Heros Cn", NARROW, "fonts-texgyre"),
  font("TeX Gyre Schola", CENTURY, "fonts-texgyre"),
  font("TeX Gyre Pagella", PALATINO, "fonts-texgyre"),
  font("TeX Gyre Bonum", BOOKMAN, "fonts-texgyre"),
  font("TeX Gyre Adventor", AVANT_GARDE, "fonts-texgyre"),
  font("TeX Gyre Chorus", CHANCERY, "fonts-texgyre"),
];

/** The families with the same widths, by the key of each family. */
const WIDTHS: ReadonlyMap<string, string> = new Map(
  METRIC_COMPATIBLE_FONTS.flatMap(({ family, standsInFor }) => {
    const widths = standsInFor[0] ?? family;
    return [family, ...standsInFor].map((each) => [familyKey(each), widths] as const);
  }),
);

/** Whether text has the same width in both families. */
export function areMetricCompatible(one: string, other: string): boolean {
  const widths = WIDTHS.get(familyKey(one));
  return widths !== undefined && widths === WIDTHS.get(familyKey(other));
}

/**
 * Returns the font to install for a family that is not free: the first one with the same widths; null if none has them.
 */
export function metricCompatibleFor(family: string): MetricCompatibleFont | null {
  const key = familyKey(family);
  const isFor = ({ standsInFor }: MetricCompatibleFont): boolean =>
    standsInFor.some((each) => familyKey(each) === key);
  return METRIC_COMPATIBLE_FONTS.find(isFor) ?? null;
}

function font(
  family: string,
  standsInFor: readonly string[],
  debianPackage: string | null,
): MetricCompatibleFont {
  return { family, standsInFor, debianPackage };
}
