import { type Loop, paragraph, tag } from "../word/blocks.ts";
import { type Random, seededRandom } from "../word/random.ts";
import type { Data, Scenario } from "./scenario.ts";
import { amountText, cityName, dateText, personName } from "./values.ts";

const ROWS = 5_000;
const ROW: Loop = { list: "rows", item: "row" };
const KEYS = ["id", "name", "city", "date", "quantity", "amount"];

/** One table with many rows. Its cost depends only on the loop. */
export const rows: Scenario = {
  name: "rows",
  title: "Table of 5,000 rows",
  description: `${ROWS.toLocaleString("en-US")} rows of ${KEYS.length} cells`,
  needs: [],
  template: {
    header: ["Report"],
    footer: ["All amounts without tax"],
    body: [
      { block: "paragraph", pieces: ["Report ", tag("title")], bold: true },
      {
        block: "table",
        headings: KEYS,
        loop: ROW,
        cells: KEYS.map((key) => [tag(key, ROW)]),
      },
      paragraph("End of the report"),
    ],
  },
  dataSets: 4,
  data: (index) => {
    const random = seededRandom(4_000 + index);
    return {
      title: `no. ${index + 1}`,
      rows: Array.from({ length: ROWS }, (_, row) => ({
        id: row + 1,
        name: personName(random),
        city: cityName(random),
        date: dateText(random),
        quantity: random.below(1_000),
        amount: amountText(random),
      })),
    };
  },
};

/** Number of values of each kind that the rows of {@link leanRows} share. */
const SHARED = 1_000;

/** Returns data with any number of rows. It needs little memory, because the rows share their strings. */
export function leanRows(count: number): Data {
  const random = seededRandom(5);
  const shared = (make: (random: Random) => string) =>
    Array.from({ length: SHARED }, () => make(random));
  const [names, cities, dates, amounts] = [personName, cityName, dateText, amountText].map(shared);
  return {
    title: "of many rows",
    rows: Array.from({ length: count }, (_, row) => ({
      id: row + 1,
      name: names?.[row % SHARED],
      city: cities?.[random.below(SHARED)],
      date: dates?.[random.below(SHARED)],
      quantity: random.below(SHARED),
      amount: amounts?.[random.below(SHARED)],
    })),
  };
}
