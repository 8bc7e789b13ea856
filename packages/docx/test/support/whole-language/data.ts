import type { Random } from "../../../../contracts/test/support/random.ts";
import { GIF, GRAY_JPEG, png } from "../../../../ooxml/test/support/pictures.ts";

/**
 * How unusual the data is: `plain` fits the template except for missing values. `wild` has unusual strings and numbers,
 * but only where the template expects them. `wrong` has anything anywhere, including values that no tag can use.
 */
export type Temper = "plain" | "wild" | "wrong";

const PLAIN_TEXTS = ["A", "b c", "Ann", " x ", "", "l1\nl2", "Größe 7", "42", "-3.50", "true"];

const WILD_TEXTS = [
  "<&>\"'",
  "a & b < c > d",
  "tab\tand\ttab",
  "one\ntwo\n\nthree\n",
  "\r\nlines\rof\r\nall\n\rkinds\r",
  "\u0000\u0001bell\u0007\u000b\u000c\u001f\u007f",
  "\ud800lone",
  "lone\udc00",
  "\udc00\ud800",
  "pair \ud83d\ude00 \u{1f468}\u200d\u{1f469}\u200d\u{1f467}",
  "\ufffe\uffff\ufeff",
  "e\u0301 ß ﬁ İ ı ŉ Σας",
  "{{t}} {% if x %} }} {{",
  "]]> <!-- x --> <?pi?> &amp; &#65; &lt;",
  "<name> is <p> not </q> html",
  "\u2028\u2029\u0085\u00a0\u3000",
  "  spaces  ",
  "日本語 عربي עברית",
  "c:\\path\\to \"quoted\" 'single' “curly”",
  "a\tb\r\nc",
];

const HTML = [
  "<p>one</p><p>two <b>bold</b></p>",
  "a <b>b</b> <i>c</i> <u>d</u> <s>e</s> x<sub>2</sub><sup>3</sup>",
  "<h1>Head</h1><p>text</p><h3>Sub</h3>",
  "<ul><li>a<ul><li>a1</li></ul></li><li>b</li></ul>",
  '<ol start="3"><li>a</li><li>b<ol type="a"><li>b1</li></ol></li></ol>',
  "<table><tr><th>H</th><td>1</td></tr><tr><td colspan='2'>2</td></tr></table>",
  "<table><tr><td rowspan=2>x</td><td>y</td></tr><tr><td>z</td></tr></table><table><tr><td>q</td></tr></table>",
  '<a href="https://example.com/?a=1&amp;b=2">link</a> and <a href="javascript:x">none</a>',
  '<span style="color:#ff0000;font-size:18pt">red</span><br>next<br/>',
  "<p>unclosed <b>bold <i>both</p> tail",
  "<script>x</script><p>kept</p><video>v</video>",
  "<p></p>",
  "<br>",
  "<blockquote>quote</blockquote><pre>a\n  b</pre><hr>",
  '<p style="text-align:center">centre</p>text<div>div</div>',
  `<img src="data:image/png;base64,${png(4, 2).toString("base64")}" alt="pic" width="40">`,
  `<p>x</p><p><img src="data:image/gif;base64,${GIF.toString("base64")}"></p>`,
  '<img src="https://example.com/x.png"><p>{{t}} &amp; &copy; &bogus;</p>',
];

const MARKDOWN = [
  "# Head\n\ntext **bold** *it* `code`",
  "- a\n- b\n  - c\n\n1. x\n2. y",
  "| a | b |\n|---|:-:|\n| 1 | 2 |",
  "plain",
  "[link](https://example.com) ![img](https://x.y/z.png) <b>raw</b>",
  "> quote\n\n---\n\n```\ncode\n```",
];

const ADDRESSES = [
  "https://example.com/a?b=c&d=e#f",
  "http://ex.com/ü \"q\" 'r'",
  "mailto:ann@example.com",
  "tel:+43 1 234",
  "javascript:alert(1)",
  "file:///c:/x.exe",
  "not an address",
  "",
  "https://example.com/\ud800\n\\",
];

const DATES = [
  "2026-03-09",
  "2026-03-28T23:30:00Z",
  "2024-02-29T12:00:00.123+05:30",
  "1999-12-31T23:59:59",
  new Date(Date.UTC(2026, 11, 31, 23, 59)),
];

const NUMBERS = [0, 1, 2, 3, 10, -1.5, 0.1, 1234567.891, "12.50"];
const WILD_NUMBERS = [-0, 1e21, 1e-7, 0.1 + 0.2, 2 ** 53, 123456789012345678901234567890n, -7n];
const ODD = [Number.NaN, Number.POSITIVE_INFINITY, "x", true, {}, [], () => 1, Symbol("s")];

export const PICTURES = [
  png(2, 1).toString("base64"),
  `data:image/png;base64,${png(30, 20).toString("base64")}`,
  GIF.toString("base64"),
  `data:image/jpeg;base64,${GRAY_JPEG.toString("base64")}`,
];

/**
 * Returns data for the templates of this generator, of `model.ts` and of `split-template.ts`. Any key may be missing.
 */
export function wholeData(random: Random, temper: Temper): Record<string, unknown> {
  return new DataMaker(random, temper).root();
}

class DataMaker {
  readonly #random: Random;
  readonly #temper: Temper;

  constructor(random: Random, temper: Temper) {
    this.#random = random;
    this.#temper = temper;
  }

  root(): Record<string, unknown> {
    const random = this.#random;
    const data = this.#node(0);
    if (!random.oneIn(3)) data.flat = random.pick(["x", 1]);
    if (random.oneIn(4)) data.unused = "never";
    if (random.oneIn(4)) data["dotted.key"] = "dot";
    if (random.oneIn(9)) data.tt = "near";
    const all = random.oneIn(3) ? { ...this.#forSplits(), ...data } : data;
    return random.oneIn(9) ? Object.assign(Object.create(null), all) : all;
  }

  /** Most of the keys that templates of `split-template.ts` use. */
  #forSplits(): Record<string, unknown> {
    return {
      text: this.#text(),
      zero: 0,
      flag: this.#boolean(),
      off: false,
      date: "2026-03-09",
      at: "2026-03-09T12:30:00Z",
      phone: this.#random.pick(["5551234", "12", "555123456"]),
      none: [],
      obj: this.#node(2),
    };
  }

  /** Returns an object with the keys of all kinds; deeper ones have shorter lists. */
  #node(depth: number): Record<string, unknown> {
    const random = this.#random;
    const data: Record<string, unknown> = {};
    const put = (key: string, make: () => unknown): void => {
      if (random.oneIn(depth === 0 ? 14 : 9)) return;
      if (random.oneIn(this.#temper === "wild" ? 16 : 40)) data[key] = null;
      else if (this.#temper === "wrong" && random.oneIn(25)) data[key] = random.pick(ODD);
      else data[key] = make();
    };
    const text = (): string => this.#text();
    put("t", text);
    put("s", text);
    put("name", text);
    put("first name", text);
    put("n", () => this.#number());
    put("m", () => this.#number());
    put("b", () => this.#boolean());
    put("c", () => this.#boolean());
    put("d", () => random.pick(DATES));
    put("u", () => random.pick(ADDRESSES));
    put("h", () => this.#rich(HTML));
    put("md", () => this.#rich(MARKDOWN));
    put("pic", () => random.pick(PICTURES));
    put("w", () => this.#list(4, text));
    put("tags", () => this.#list(3, text));
    put("ns", () => this.#list(4, () => this.#number()));
    put("e", () => []);
    const more = depth === 0 ? 4 : depth > 2 ? 1 : 3;
    put("l", () => this.#list(more, () => (random.oneIn(20) ? null : this.#node(depth + 1))));
    put("items", () => this.#list(more, () => this.#node(depth + 2)));
    if (depth < 3) put("o", () => this.#node(depth + 2));
    return data;
  }

  #list(limit: number, make: () => unknown): unknown[] {
    const random = this.#random;
    const list = Array.from({ length: random.below(limit) }, make);
    if (this.#temper === "wrong" && random.oneIn(30)) list.push(random.pick(ODD));
    if (this.#temper === "wild" && random.oneIn(12)) list.push(null);
    return list;
  }

  #number(): unknown {
    const wild = this.#temper !== "plain" && this.#random.oneIn(3);
    return this.#random.pick<unknown>(wild ? WILD_NUMBERS : NUMBERS);
  }

  #boolean(): unknown {
    return this.#temper === "plain" || !this.#random.oneIn(6)
      ? this.#random.oneIn(2)
      : this.#random.pick<unknown>(["yes", "", 0, 1, [], ["x"]]);
  }

  #rich(choices: readonly string[]): string {
    const random = this.#random;
    if (random.oneIn(6)) return this.#text();
    return random.oneIn(3) ? random.pick(choices) + random.pick(choices) : random.pick(choices);
  }

  #text(): string {
    const random = this.#random;
    if (this.#temper === "plain") return random.pick(PLAIN_TEXTS);
    if (random.oneIn(600)) return this.#long();
    if (random.oneIn(3)) return random.pick(PLAIN_TEXTS);
    if (random.oneIn(14)) return random.pick(HTML);
    return random.pick(WILD_TEXTS) + (random.oneIn(3) ? random.pick(WILD_TEXTS) : "");
  }

  /** Returns a string that is too long to be written at once, with sequences that must never be split. */
  #long(): string {
    const piece = this.#random.pick(["\r\n", "\ud83d\ude00", "<&>", "ab\u0000\ud800", "x\ty\n"]);
    const shift = "x".repeat(this.#random.below(3));
    return shift + piece.repeat(Math.ceil(150_000 / piece.length));
  }
}
