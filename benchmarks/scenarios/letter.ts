import { type Block, type Piece, paragraph, tag } from "../word/blocks.ts";
import { seededRandom } from "../word/random.ts";
import type { Scenario } from "./scenario.ts";
import {
  amountText,
  cityName,
  companyName,
  dateText,
  digits,
  personName,
  sentence,
  streetName,
} from "./values.ts";

/** One page with ten tags, one of them in the header. */
export const letter: Scenario = {
  name: "letter",
  title: "Letter",
  description: "1 page, 10 tags, one of them in the header",
  needs: [],
  template: {
    header: [tag("company")],
    footer: ["Confidential - registered office: 1 Example Street"],
    body: [
      bold(tag("recipient")),
      paragraph(tag("street")),
      paragraph(tag("zip"), " ", tag("city")),
      paragraph("Date: ", tag("date")),
      bold("Subject: ", tag("subject")),
      paragraph("Dear ", tag("salutation"), ","),
      ...sixParagraphs(),
      paragraph("Your amount of ", tag("amount"), " is due on ", tag("due"), "."),
      paragraph("Yours sincerely,"),
      paragraph("The team"),
    ],
  },
  dataSets: 64,
  data: (index) => {
    const random = seededRandom(1_000 + index);
    return {
      company: companyName(random),
      recipient: personName(random),
      street: streetName(random),
      zip: digits(random, 5),
      city: cityName(random),
      date: dateText(random),
      subject: `Membership no. ${digits(random, 6)}`,
      salutation: personName(random),
      amount: amountText(random),
      due: dateText(random),
    };
  },
};

function bold(...pieces: readonly Piece[]): Block {
  return { block: "paragraph", pieces, bold: true };
}

function sixParagraphs(): Block[] {
  const random = seededRandom(3);
  return Array.from({ length: 6 }, () =>
    paragraph([14, 14, 14].map((words) => sentence(random, words)).join(" ")),
  );
}
