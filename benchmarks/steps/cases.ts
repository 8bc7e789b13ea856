import { noisePng } from "../word/png.ts";
import { seededRandom } from "../word/random.ts";

/** A template and data that cause much work. */
export interface StepCase {
  readonly name: string;
  /** The text of the paragraphs of the body. */
  readonly paragraphs: readonly string[];
  /** Returns data that causes this amount of work. */
  readonly data: (size: number) => Record<string, unknown>;
  /** A size that takes a few hundredths of the budget. */
  readonly size: number;
}

/** Returns random letters, which hardly compress. */
function noise(length: number, alphabet: string, seed = 1): string {
  const random = seededRandom(seed);
  const letters = [...alphabet];
  let text = "";
  for (let at = 0; at < length; at++) text += letters[random.below(letters.length)];
  return text;
}

const LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 ";
const turns = (size: number): number[] => Array.from({ length: size }, (_, index) => index);

/** Returns a case with a loop over `l` around a tag. `t` is a string of `length` letters. */
function around(
  name: string,
  tag: string,
  length: number,
  size: number,
  letters = LETTERS,
): StepCase {
  const t = noise(length, letters);
  return {
    name,
    paragraphs: [`{{for a in l}}${tag}{{endfor}}`],
    data: (count) => ({ l: turns(count), t }),
    size,
  };
}

function picture(kilobytes: number): string {
  const side = Math.round(Math.sqrt((kilobytes * 1_000) / 3));
  return Buffer.from(noisePng(side, side, 1)).toString("base64");
}

const PROSE =
  "Some words of prose with <b>bold</b>, <i>italic</i> and a <a href='https://x.example'>link</a>. ";

/** All kinds of work that cost steps, and ordinary content for comparison. */
export const CASES: readonly StepCase[] = [
  {
    name: "turns of empty loops",
    paragraphs: ["{{for a in l}}{{for b in l}}{{endfor}}{{endfor}}"],
    data: (size) => ({ l: turns(Math.round(Math.sqrt(size))) }),
    size: 400_000,
  },
  around("numbers printed", "{{a}}", 1, 200_000),
  {
    name: "rows of five cells",
    paragraphs: ["{{for a in l}}{{a.a}} {{a.b}} {{a.c}} {{a.d}} {{a.e}}{{endfor}}"],
    data: (size) => ({
      l: turns(size).map((n) => ({
        a: n,
        b: `Name ${n}`,
        c: n / 7,
        d: `Street ${n * 31} in a town`,
        e: "x",
      })),
    }),
    size: 50_000,
  },
  around("computations", "{{a * 1.19 + 3}}", 1, 50_000),
  around("conditions", "{{if a > 3 and a < 1000000}}x{{endif}}", 1, 100_000),
  around("numbers with a format", '{{a :: number("#,##0.00")}}', 1, 50_000),
  around("currencies", '{{a :: currency("EUR")}}', 1, 50_000),
  {
    name: "dates",
    paragraphs: ['{{for a in l}}{{a :: format("dd MMMM yyyy")}}{{endfor}}'],
    data: (size) => ({ l: turns(size).map((n) => new Date(1.7e12 + n * 1e7).toISOString()) }),
    size: 20_000,
  },
  {
    name: "sums",
    paragraphs: ["{{for a in l}}{{$sum(a.m)}}{{endfor}}"],
    data: (size) => {
      const m = turns(1_000);
      return { l: turns(Math.ceil(size / 1_000)).map(() => ({ m })) };
    },
    size: 200_000,
  },
  {
    name: "$join of numbers",
    paragraphs: ["{{for a in l}}{{if $join(a.m) == $number}}x{{endif}}{{endfor}}"],
    data: (size) => {
      const m = turns(1_000);
      return { l: turns(Math.ceil(size / 1_000)).map(() => ({ m })) };
    },
    size: 200_000,
  },
  around("contains, a text of 100,000", '{{if t contains "qqqqqqqqq"}}x{{endif}}', 100_000, 1_000),
  {
    name: "contains, a part that almost matches",
    paragraphs: ["{{for a in l}}{{if t contains part}}x{{endif}}{{endfor}}"],
    data: (size) => ({
      l: turns(size),
      t: "a".repeat(100_000),
      part: `${"a".repeat(1_000)}b${"a".repeat(1_000)}`,
    }),
    size: 20,
  },
  {
    name: "equal texts of 100,000",
    paragraphs: ["{{for a in l}}{{if t == u}}x{{endif}}{{endfor}}"],
    data: (size) => {
      const t = noise(100_000, LETTERS);
      return { l: turns(size), t: `${t}a`, u: `${t}b` };
    },
    size: 1_000,
  },
  {
    name: "equal texts of 40",
    paragraphs: ["{{for a in l}}{{if a.s == a.u}}x{{endif}}{{endfor}}"],
    data: (size) => ({
      l: turns(size).map((n) => ({
        s: `${n} Street in a town that has a name`,
        u: `${n} Street in a town that has a nami`,
      })),
    }),
    size: 50_000,
  },
  around("$length", "{{$length(t)}}", 100_000, 100),
  around("uppercase", "{{t :: uppercase}}", 10_000, 1_000),
  around("truncate, Latin", "{{t :: truncate(100)}}", 100_000, 1_000),
  around("truncate, other letters", "{{t :: truncate(50000)}}", 100_000, 10, "äöüßéèêçñ"),
  around("texts of 100,000 printed", "{{t}}", 100_000, 200),
  around("texts of 200 printed", "{{t}}", 200, 50_000),
  {
    name: "different texts of 10,000 printed",
    paragraphs: ["{{for a in l}}{{a}}{{endfor}}"],
    data: (size) => {
      const t = noise(2_000_000, LETTERS);
      return {
        l: turns(size).map((n) =>
          t.slice((n * 7_919) % 1_990_000, ((n * 7_919) % 1_990_000) + 10_000),
        ),
      };
    },
    size: 200,
  },
  {
    name: "static text in a loop",
    paragraphs: [`{{for a in l}}${noise(200_000, LETTERS)}{{endfor}}`],
    data: (size) => ({ l: turns(size) }),
    size: 20,
  },
  {
    name: "computations with 200 digits",
    paragraphs: ["{{for a in l}}{{if x * x > a}}x{{endif}}{{endfor}}"],
    data: (size) => ({ l: turns(size), x: "7".repeat(190) }),
    size: 1_000,
  },
  {
    name: "divisions with 200 digits",
    paragraphs: ["{{for a in l}}{{if x / y > a}}x{{endif}}{{endfor}}"],
    data: (size) => ({ l: turns(size), x: "7".repeat(390), y: "3".repeat(190) }),
    size: 1_000,
  },
  around("texts with signs to escape", "{{t}}", 10_000, 1_000, "&<>\n\tab"),
  around("QR codes of 6 digits", "{{a + 100000 :: qrcode}}", 1, 200),
  around("QR codes of 2,000 letters", "{{t :: qrcode}}", 2_000, 10),
  {
    name: "QR codes of 40 letters",
    paragraphs: ["{{for a in l}}{{a :: qrcode}}{{endfor}}"],
    data: (size) => ({ l: turns(size).map((n) => `https://example.com/invoices/${n}/pay`) }),
    size: 100,
  },
  ...["datamatrix", "azteccode", "pdf417"].flatMap((kind) => [
    around(`${kind} of 6 digits`, `{{a + 100000 :: barcode("${kind}")}}`, 1, 100),
    {
      name: `${kind} of 700 letters`,
      paragraphs: [`{{for a in l}}{{a :: barcode("${kind}")}}{{endfor}}`],
      data: (size: number) => ({ l: turns(size).map((n) => noise(700, LETTERS, n + 1)) }),
      size: 5,
    },
  ]),
  around("code128", '{{a + 100000 :: barcode("code128")}}', 1, 500),
  {
    name: "pictures of 1 MB",
    paragraphs: ["{{for a in l}}{{a}}{{endfor}}"],
    data: (size) => {
      const base = picture(1_000);
      return { l: turns(size).map((n) => `data:image/png;base64,${base}${" ".repeat(n % 50)}`) };
    },
    size: 40,
  },
  {
    name: "pictures of 3 KB",
    paragraphs: ["{{for a in l}}{{a}}{{endfor}}"],
    data: (size) => {
      const base = picture(3);
      return { l: turns(size).map((n) => `data:image/png;base64,${base}${" ".repeat(n % 50)}`) };
    },
    size: 500,
  },
  {
    name: "HTML, prose",
    paragraphs: ["{{for a in l}}{{h :: html}}{{endfor}}"],
    data: (size) => ({ l: turns(size), h: `<p>${PROSE.repeat(10)}</p>` }),
    size: 500,
  },
  {
    name: "HTML, plain text of 10,000",
    paragraphs: ["{{for a in l}}{{h :: html}}{{endfor}}"],
    data: (size) => ({ l: turns(size), h: `<p>${noise(10_000, LETTERS)}</p>` }),
    size: 500,
  },
  {
    name: "HTML, elements within each other",
    paragraphs: ["{{for a in l}}{{h :: html}}{{endfor}}"],
    data: (size) => ({ l: turns(size), h: `<p>${"<b>x<i>y</i></b>".repeat(1_000)}</p>` }),
    size: 10,
  },
  {
    name: "HTML, a table",
    paragraphs: ["{{for a in l}}{{h :: html}}{{endfor}}"],
    data: (size) => ({
      l: turns(size),
      h: `<table>${"<tr><td>a</td><td>b</td></tr>".repeat(200)}</table>`,
    }),
    size: 10,
  },
  {
    name: "HTML, formatting that is never closed",
    paragraphs: ["{{for a in l}}{{h :: html}}{{endfor}}"],
    data: (size) => ({
      l: turns(size),
      h: "<p><b><i><u><s><font color=red>".repeat(50) + "<p>x".repeat(200),
    }),
    size: 5,
  },
  {
    name: "Markdown, prose",
    paragraphs: ["{{for a in l}}{{h :: markdown}}{{endfor}}"],
    data: (size) => ({
      l: turns(size),
      h: "Some *words* of prose with **bold** and a [link](https://x.example). ".repeat(10),
    }),
    size: 200,
  },
  {
    name: "Markdown, signs",
    paragraphs: ["{{for a in l}}{{h :: markdown}}{{endfor}}"],
    data: (size) => ({ l: turns(size), h: "*a_b`c~[d](".repeat(400) }),
    size: 4,
  },
  {
    name: "text that may be HTML",
    paragraphs: ["{{for a in l}}{{h}}{{endfor}}"],
    data: (size) => ({ l: turns(size), h: "a < b and <name> ".repeat(500) }),
    size: 200,
  },
  {
    name: "SVGs of 500 shapes",
    paragraphs: ["{{for a in l}}{{a}}{{endfor}}"],
    data: (size) => ({
      l: turns(size).map((n) => svg('<rect width="9" height="9"/>'.repeat(500), n)),
    }),
    size: 4,
  },
  {
    name: "SVGs of 50,000 used shapes",
    paragraphs: ["{{for a in l}}{{a}}{{endfor}}"],
    data: (size) => ({
      l: turns(size).map((n) =>
        svg(
          `<g id="a">${'<rect width="5" height="5"/>'.repeat(500)}</g>${'<use href="#a"/>'.repeat(100)}`,
          n,
        ),
      ),
    }),
    size: 1,
  },
];

function svg(content: string, n: number): string {
  const text = `<svg xmlns="http://www.w3.org/2000/svg" width="400" height="400">${content}<g id="n${n}"/></svg>`;
  return `data:image/svg+xml;base64,${Buffer.from(text).toString("base64")}`;
}
