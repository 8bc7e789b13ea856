/** Joined documents of one template. Their PDFs look the same as those from single conversions. */
import { readFile } from "node:fs/promises";
import { compileTemplate } from "@quire/core";
import { expect } from "vitest";
import { differenceBetween } from "../src/join/same-document.ts";
import { docx } from "./docx.ts";
import { bothWays, compared, DOCUMENTS, FOOTER, nothing, words } from "./grouped.ts";
import { docxOf, paragraph } from "./join-kit.ts";
import { lanesIn, officesIn, slowTest, until } from "./laboratory.ts";

const TEMPLATES = new URL("../../../examples/templates/", import.meta.url);
const DATA = new URL("../../../examples/data/", import.meta.url);

/** The first letters are converted alone. The others are enough for a probe. */
const LETTERS = 24;

const both = bothWays();
const { joining, single } = both;

/** Letters from the example's template, with texts of different lengths. */
async function letters(count: number): Promise<Uint8Array[]> {
  const template = await compileTemplate(await readFile(new URL("letter.docx", TEMPLATES)));
  const data: unknown = JSON.parse(await readFile(new URL("letter.json", DATA), "utf8"));
  const lengthen = (value: unknown, by: number): unknown => {
    if (typeof value === "string") return `${value}${` more ${by}`.repeat(by % 4)}`;
    if (Array.isArray(value)) return value.map((item) => lengthen(item, by));
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [key, lengthen(inner, by)]),
    );
  };
  return Array.from({ length: count }, (_, index) => {
    return template.render(lengthen(data, index) as Record<string, unknown>).bytes;
  });
}

slowTest("each document of a group has the same PDF as alone", async () => {
  const documents = await letters(LETTERS);
  const convert = (office: typeof joining) =>
    Promise.all(
      documents.map((document) => office.convert(document, { rendered: true, group: "examples" })),
    );
  const [joined, alone] = await Promise.all([convert(joining), convert(single)]);
  for (const [index, { bytes, pages }] of joined.entries()) {
    const other = alone[index];
    expect(pages).toBe(other?.pages);
    expect([index, differenceBetween(other?.bytes ?? new Uint8Array(), bytes)]).toEqual([
      index,
      null,
    ]);
  }
  // They were really joined: the fonts contain the letters of all documents, so the bytes differ.
  const same = joined.filter(({ bytes }, index) =>
    Buffer.from(bytes).equals(alone[index]?.bytes ?? new Uint8Array()),
  );
  expect(same.length).toBeLessThan((LETTERS * 2) / 3);
});

slowTest("a document that cannot be joined with the others is converted alone", async () => {
  const documents = await letters(LETTERS);
  const stranger = docx({ body: paragraph("Of another template") });
  const converted = await Promise.allSettled(
    [...documents.slice(0, 10), stranger, Buffer.from("no docx"), ...documents.slice(10)].map(
      (document) => joining.convert(document, { rendered: true, group: "mixed" }),
    ),
  );
  expect(
    converted.map(({ status }) => status).filter((status) => status === "rejected"),
  ).toHaveLength(1);
  expect(converted[10]?.status).toBe("fulfilled");
  expect(converted[11]?.status).toBe("rejected");
});

slowTest("the documents of a group whose lane ends are converted one by one", async () => {
  const documents = await letters(LETTERS);
  await joining.convert(documents[0] ?? new Uint8Array(), { rendered: true });
  const [victim] = officesIn(joining.tempDir);
  const converting = Promise.all(
    documents.map((document) => joining.convert(document, { rendered: true, group: "killed" })),
  );
  process.kill(victim?.pid ?? Number.NaN, "SIGKILL");
  for (const { pages } of await converting) expect(pages).toBeGreaterThan(0);
  await until("one lane remains", () => lanesIn(joining.tempDir).length === 1);
});

slowTest("letters of different lengths count their own pages", async () => {
  const letters = Array.from({ length: DOCUMENTS }, (_, index) => {
    const body = Array.from({ length: 1 + (index % 5) * 6 }, () => paragraph(words(60)));
    return docxOf(`${paragraph(`Letter ${index}`)}${body.join("")}`, FOOTER);
  });
  expect(await compared(both, "letters", letters)).toEqual(nothing(DOCUMENTS));
});
