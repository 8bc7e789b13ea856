/** Currencies whose amounts do not have two decimals. */
const OTHERS: Readonly<Record<number, string>> = {
  // The last seven currencies have been withdrawn.
  0: "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF ADP BYR ESP ITL LUF MGF TRL",
  3: "BHD IQD JOD KWD LYD OMR TND",
  4: "CLF UYW",
};

const DECIMALS = new Map(
  Object.entries(OTHERS).flatMap(([decimals, codes]) =>
    codes.split(" ").map((code) => [code, Number(decimals)] as const),
  ),
);

/**
 * Returns the number of decimals for amounts in a currency: its minor units according to ISO 4217:2015, table A.1 (list
 * one of its maintenance agency,
 * https://www.six-group.com/en/products-services/financial-information/data-standards.html). `Intl` follows the Unicode
 * CLDR, which omits decimals that are rare in daily life: invoice amounts in COP, HUF, IDR and others would lose
 * decimals.
 */
export function minorUnitsOf(code: string): number {
  return DECIMALS.get(code.toUpperCase()) ?? 2;
}
