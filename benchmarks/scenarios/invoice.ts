import { type Loop, paragraph, tag } from "../word/blocks.ts";
import { seededRandom } from "../word/random.ts";
import type { Scenario } from "./scenario.ts";
import {
  amountText,
  cityName,
  companyName,
  dateText,
  digits,
  sentence,
  streetName,
} from "./values.ts";

const LINES = 20;
const LINE: Loop = { list: "items", item: "it" };

/** One page with a table of twenty rows, and a picture in the template. */
export const invoice: Scenario = {
  name: "invoice",
  title: "Invoice",
  description: `1 page, ${LINES} table rows, a logo of 49 kB`,
  needs: [],
  template: {
    header: ["Invoice"],
    footer: ["Bank: DE00 0000 0000 - VAT 123456"],
    body: [
      { block: "logo" },
      { block: "paragraph", pieces: ["Invoice ", tag("number")], bold: true },
      paragraph(tag("customer")),
      paragraph(tag("address")),
      paragraph("Date ", tag("date"), " due ", tag("due")),
      {
        block: "table",
        headings: ["Pos", "Description", "Qty", "Price", "Total"],
        widths: [1, 4, 1, 2, 2],
        loop: LINE,
        cells: ["pos", "text", "quantity", "price", "total"].map((key) => [tag(key, LINE)]),
      },
      paragraph("Net ", tag("net")),
      paragraph("VAT ", tag("vat")),
      { block: "paragraph", pieces: ["Gross ", tag("gross")], bold: true },
      paragraph("Payment terms: 30 days net."),
    ],
  },
  dataSets: 64,
  data: (index) => {
    const random = seededRandom(2_000 + index);
    return {
      number: `R-${digits(random, 6)}`,
      customer: companyName(random),
      address: `${streetName(random)}, ${cityName(random)}`,
      date: dateText(random),
      due: dateText(random),
      items: Array.from({ length: LINES }, (_, line) => ({
        pos: line + 1,
        text: sentence(random, 3),
        quantity: 1 + random.below(40),
        price: amountText(random),
        total: amountText(random),
      })),
      net: amountText(random),
      vat: amountText(random),
      gross: amountText(random),
    };
  },
};
