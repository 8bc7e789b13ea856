// Examples of tags that print more than text, and of where tags work.

import { base64, LANDSCAPE, PORTRAIT } from "./drawings.ts";
import type { Example } from "./example.ts";
import { ALTERNATIVES, placeholder } from "./placeholder.ts";
import {
  bold,
  coloured,
  footnote,
  heading,
  italic,
  PAGE_NUMBER,
  p,
  picture,
  table,
  textBox,
} from "./word.ts";

export const CONTENT: readonly Example[] = [
  {
    name: "picture",
    template: {
      images: { rId50: placeholder("photo") },
      body: p([picture("rId50", 42, 28, ALTERNATIVES.photo), " {{caption}}"]),
    },
    data: { photo: base64(LANDSCAPE), caption: "Our garden" },
    result: [" Our garden"],
  },
  {
    name: "picture-fit",
    template: {
      images: {
        rId50: placeholder("contain"),
        rId51: placeholder("cover"),
        rId52: placeholder("stretch"),
      },
      body: p([
        picture("rId50", 33, 22, ALTERNATIVES.contain),
        "  ",
        picture("rId51", 33, 22, ALTERNATIVES.cover),
        "  ",
        picture("rId52", 33, 22, ALTERNATIVES.stretch),
      ]),
    },
    data: { portrait: base64(PORTRAIT) },
    result: ["    "],
  },
  {
    name: "picture-inline",
    template: {
      body:
        p("As large as it is: {{photo}}") +
        p(
          'Small: {{photo :: height("8mm")}} and {{photo :: width("30mm"), height("8mm"), fit("cover")}}',
        ),
    },
    data: { photo: base64(LANDSCAPE) },
    result: ["As large as it is: ", "Small:  and "],
  },
  {
    name: "barcodes",
    template: {
      body: table(
        [1, 1],
        [
          ["Ticket {{ticket}}", "Article {{number}}"],
          ["{{ticket :: qrcode}}", '{{number :: barcode("ean13"), height("14mm")}}'],
        ],
      ),
    },
    data: { ticket: "https://tickets.example/42", number: "4006381333931" },
    result: ["Ticket https://tickets.example/42 | Article 4006381333931", " | "],
  },
  {
    name: "links",
    template: {
      body: p('Read {{url :: link("our terms")}}, or write to {{mail :: link}}.'),
    },
    data: { url: "https://example.org/terms", mail: "mailto:ada@example.org" },
    result: ["Read our terms, or write to mailto:ada@example.org."],
  },
  {
    name: "html",
    template: {
      body: p("Notes") + p("{{notes}}") + p("As it is written: {{short :: text}}"),
    },
    data: {
      notes:
        '<p>Please <b>read</b> this, in <i>your own</i> time:</p><ol><li>the <u>terms</u></li><li>the prices<table><tr><th>Item</th><th>Price</th></tr><tr><td>Lamp</td><td style="color:#c92a2a">30</td></tr></table></li></ol>',
      short: "a <b>bold</b> word",
    },
    result: [
      "Notes",
      "Please read this, in your own time:",
      "the terms",
      "the prices",
      "Item | Price",
      "Lamp | 30",
      "As it is written: a <b>bold</b> word",
    ],
    told: ["detected_html"],
  },
  {
    name: "markdown",
    template: { body: p("{{text :: markdown}}") },
    data: {
      text: "## What is new\n\nThe engine is **faster** and *quieter*:\n\n- fewer gears\n- [a manual](https://example.org/manual)",
    },
    result: ["What is new", "The engine is faster and quieter:", "fewer gears", "a manual"],
  },
  {
    name: "include",
    template: {
      body: heading("Offer {{number}}") + p('{{include "terms.docx"}}') + p("Yours, {{seller}}"),
    },
    includes: {
      "terms.docx": {
        body:
          p([bold("Terms")]) +
          p([italic("Valid until {{valid}}. The prices of {{seller}} are net.")]),
      },
    },
    data: { number: 7, seller: "Quire & Co.", valid: "31 December" },
    result: [
      "Offer 7",
      "Terms",
      "Valid until 31 December. The prices of Quire & Co. are net.",
      "Yours, Quire & Co.",
    ],
  },
  {
    name: "places",
    template: {
      pageHeight: 78,
      header: p([coloured("{{company}}", "5C677D")]),
      footer: p(["Offer {{number}}, page ", PAGE_NUMBER]),
      footnotes: ["Prices of {{year}}."],
      body:
        p(["Dear {{name}}, here is our offer.", footnote(1)]) +
        p([textBox(60, 14, p('{{for p in points}}{{p :: delimiter(", ")}}{{endfor}}'))]),
    },
    data: {
      company: "Quire & Co.",
      number: 7,
      year: 2026,
      name: "Ada",
      points: ["fast", "safe", "exact"],
    },
    result: ["Dear Ada, here is our offer."],
    parts: {
      "word/header1.xml": ["Quire & Co."],
      "word/footer1.xml": ["Offer 7, page 1"],
      "word/footnotes.xml": ["", "", " Prices of 2026."],
    },
  },
];
