import { Buffer } from "node:buffer";
import { isQuireError } from "@quire/contracts";
import { expect, test } from "vitest";
import { docx, p } from "../../../ooxml/test/support/docx.ts";
import { png, pngChunk } from "../../../ooxml/test/support/pictures.ts";
import { compileTemplate, prepareImages } from "../../src/index.ts";
import type { DocumentLimits } from "../../src/values/budget.ts";

type Data = Readonly<Record<string, unknown>>;

async function rendered(
  body: string,
  data: Data,
  limits: Partial<DocumentLimits>,
): Promise<string> {
  const template = await compileTemplate(docx({ body: p(body.replaceAll("<", "&lt;")) }));
  try {
    template.render(data, { limits, images: await prepareImages(data, limits) });
    return "done";
  } catch (error) {
    if (!isQuireError(error)) throw error;
    return `${error.code}: ${error.message}`;
  }
}

const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

test.each([
  ["QR codes", "{{i :: qrcode}}", {}, "QR codes and barcodes"],
  ["barcodes", '{{i :: barcode("pdf417")}}', {}, "QR codes and barcodes"],
  ["joined texts", "{{if $join(t) == i}}x{{endif}}", { t: ["a".repeat(90_000)] }, "comparing"],
  [
    "separators of joined texts",
    `{{if $join(l, "${"-".repeat(3_000)}") == i}}x{{endif}}`,
    {},
    "comparing",
  ],
  ["searched texts", '{{if t contains "b"}}x{{endif}}', { t: "a".repeat(90_000) }, "comparing"],
  ["searched lists", '{{if t contains "b"}}x{{endif}}', { t: ["a".repeat(90_000)] }, "comparing"],
  ["compared texts", "{{if t == t}}x{{endif}}", { t: "a".repeat(90_000) }, "comparing"],
  ["truncated texts", "{{t :: truncate(1)}}", { t: "ä".repeat(90_000) }, "comparing"],
  ["counted characters", "{{t :: truncate(2000)}}", { t: "क".repeat(2_001) }, "comparing"],
  [
    "measured texts",
    "{{if $concat(t, i).length() == i}}x{{endif}}",
    { t: "क".repeat(2_001) },
    "comparing",
  ],
  [
    "padded texts",
    "{{if $concat(t, i).padEnd(2) == i}}x{{endif}}",
    { t: "क".repeat(2_001) },
    "comparing",
  ],
  ["changed texts", "{{t :: uppercase :: truncate(1)}}", { t: "a".repeat(90_000) }, "comparing"],
  ["printed texts", "{{t}}", { t: "a".repeat(9_000) }, "writing text"],
  ["the template's own text in loops", "a".repeat(9_000), {}, "writing text"],
  ["HTML", "{{t :: html}}", { t: "<b>a</b>".repeat(100) }, "HTML and Markdown"],
  ["Markdown", "{{t :: markdown}}", { t: "*a* ".repeat(100) }, "HTML and Markdown"],
  ["formats", '{{i :: number("0.00")}}{{i :: number("0.00")}}', {}, "comparing"],
])("%s use steps for their size", async (_name, tag, data, most) => {
  const l = numbers(1_000);
  const body = `{{for i in l}}${tag}{{endfor}}`;
  expect(await rendered(body, { l, ...data }, { steps: 15_000 })).toMatch(
    new RegExp(
      `^limit_exceeded: The document takes more than 15,000 steps to make, \\d+% of them for ${most}.*limit 'steps'`,
    ),
  );
  expect(await rendered(body, { l: [1], ...data }, { steps: 15_000 })).toBe("done");
});

test("a picture uses steps for its bytes, and few steps when it is repeated", async () => {
  const picture = (seed: number): string =>
    png(2, 2, pngChunk("tEXt", Buffer.alloc(20_000, seed))).toString("base64");
  const l = numbers(20).map(picture);
  const body = "{{for i in l}}{{i}}{{endfor}}";
  expect(await rendered(body, { l }, { steps: 5_000 })).toContain("% of them for pictures");
  expect(await rendered(body, { l: l.map(() => l[0]) }, { steps: 5_000 })).toBe("done");
});

test("200 QR codes use less than a twentieth of the budget, and 50,000 rows less than a tenth", async () => {
  const codes = numbers(200).map((n) => `https://example.com/invoices/${n}`);
  const codesBody = "{{for i in l}}{{i :: qrcode}}{{endfor}}";
  expect(await rendered(codesBody, { l: codes }, { steps: 1_000_000 })).toBe("done");
  const rows = numbers(50_000).map((n) => ({
    a: n,
    b: `Name ${n}`,
    c: n / 8,
    d: "A street",
    e: true,
  }));
  const rowsBody = "{{for i in l}}{{i.a}} {{i.b}} {{i.c}} {{i.d}} {{i.e}}{{endfor}}";
  expect(await rendered(rowsBody, { l: rows }, { steps: 2_000_000 })).toBe("done");
});
