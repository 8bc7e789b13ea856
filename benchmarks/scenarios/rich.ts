import { type Block, paragraph, tag } from "../word/blocks.ts";
import { type Random, seededRandom } from "../word/random.ts";
import { picture } from "./images.ts";
import type { Scenario } from "./scenario.ts";
import { companyName, personName, sentence } from "./values.ts";

/** Pages of rich text. HTML in the data becomes paragraphs, lists and formatting. */
export const rich: Scenario = {
  name: "rich",
  title: "Rich text and pictures from data",
  description: "4 sections of HTML (headings, lists, bold, italic) and 2 pictures from the data",
  needs: ["images", "html"],
  template: {
    header: ["Report"],
    footer: ["Internal"],
    body: [
      { block: "paragraph", pieces: ["Report for ", tag("customer")], bold: true },
      paragraph({ prints: "image", key: "first", of: null }),
      ...[0, 1, 2, 3].flatMap(section),
      paragraph({ prints: "image", key: "second", of: null }),
      paragraph("Written by ", tag("author")),
    ],
  },
  dataSets: 64,
  data: (index) => {
    const random = seededRandom(7_000 + index);
    return {
      customer: companyName(random),
      author: personName(random),
      first: picture(index),
      second: picture(index + 1),
      ...Object.fromEntries([0, 1, 2, 3].map((at) => [`text${at}`, html(random)])),
    };
  },
};

function section(at: number): Block[] {
  return [
    { block: "paragraph", pieces: [`${at + 1}. Section`], style: "Heading1" },
    paragraph({ prints: "html", key: `text${at}`, of: null }),
  ];
}

function html(random: Random): string {
  const items = [1, 2, 3, 4].map(() => `<li>${sentence(random, 9)}</li>`).join("");
  return (
    `<h2>${sentence(random, 4)}</h2>` +
    `<p>${sentence(random, 20)} <b>${sentence(random, 3)}</b> ${sentence(random, 10)} <i>${sentence(random, 3)}</i> ${sentence(random, 12)}</p>` +
    `<ul>${items}</ul>` +
    `<p>${sentence(random, 30)} <u>${sentence(random, 2)}</u></p>`
  );
}
