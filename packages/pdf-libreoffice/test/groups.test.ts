/** Documents of one template that are converted as one: nobody can tell their PDFs from those of single conversion. */
import { readFile } from "node:fs/promises";
import { compileTemplate } from "@quire/core";
import { expect } from "vitest";
import { joinDocuments } from "../src/join/join-documents.ts";
import { differenceBetween } from "../src/join/same-document.ts";
import { docx } from "./docx.ts";
import { type Beside, docxOf, field, lists, paragraph, table } from "./join-kit.ts";
import { lanesIn, officesIn, sharedOffice, slowTest, until } from "./laboratory.ts";

const TEMPLATES = new URL("../../../examples/templates/", import.meta.url);
const DATA = new URL("../../../examples/data/", import.meta.url);

const DOCUMENTS = 24;

const joining = sharedOffice({ lanes: 1 });
const single = sharedOffice({ lanes: 1, join: "off" });

/** Letters of the example's template, each with texts of other lengths. */
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

slowTest("each document of a group is what it is for itself", async () => {
  const documents = await letters(DOCUMENTS);
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
  // They really came out of one: its fonts hold the letters of all, so the bytes are others.
  const same = joined.filter(({ bytes }, index) =>
    Buffer.from(bytes).equals(alone[index]?.bytes ?? new Uint8Array()),
  );
  expect(same.length).toBeLessThan((DOCUMENTS * 2) / 3);
});

slowTest(
  "a document that cannot be in a group with the others is converted for itself",
  async () => {
    const documents = await letters(24);
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
  },
);

slowTest("a group whose lane ends is converted, each for itself", async () => {
  const documents = await letters(24);
  await joining.convert(documents[0] ?? new Uint8Array(), { rendered: true });
  const [victim] = officesIn(joining.tempDir);
  const converting = Promise.all(
    documents.map((document) => joining.convert(document, { rendered: true, group: "killed" })),
  );
  process.kill(victim?.pid ?? Number.NaN, "SIGKILL");
  for (const { pages } of await converting) expect(pages).toBeGreaterThan(0);
  await until("one lane is left", () => lanesIn(joining.tempDir).length === 1);
});

const FOOTER: Beside = { footer: `<w:p>${field("PAGE")}${field("NUMPAGES")}</w:p>` };

function words(count: number): string {
  return Array.from({ length: count }, (_, index) => `word${(index * 7) % 11}`).join(" ");
}

/** Converts documents both ways; gives the differences, and tells how many pages there were. */
async function compared(
  group: string,
  documents: readonly Uint8Array[],
): Promise<(string | null)[]> {
  const joined = joinDocuments(documents.map((bytes) => ({ bytes })));
  expect(joined).not.toHaveProperty("reason");
  const options = { rendered: true };
  const grouped = documents.map((each) => joining.convert(each, { ...options, group }));
  const alone = documents.map((each) => single.convert(each, options));
  const [theirs, ours] = [await Promise.all(alone), await Promise.all(grouped)];
  // What LibreOffice writes itself holds a checksum.
  const isJoined = (bytes: Uint8Array): boolean => !Buffer.from(bytes).includes("/DocChecksum");
  expect(ours.filter(({ bytes }) => isJoined(bytes)).length).toBeGreaterThan(documents.length / 3);
  return theirs.map(({ bytes, pages }, index) => {
    const other = ours[index];
    if (other === undefined || other.pages !== pages) return "another number of pages";
    return differenceBetween(bytes, other.bytes);
  });
}

function nothing(count: number): null[] {
  return Array.from({ length: count }, () => null);
}

slowTest("letters of different lengths count their own pages", async () => {
  const letters = Array.from({ length: DOCUMENTS }, (_, index) => {
    const body = Array.from({ length: 1 + (index % 5) * 6 }, () => paragraph(words(60)));
    return docxOf(`${paragraph(`Letter ${index}`)}${body.join("")}`, FOOTER);
  });
  expect(await compared("letters", letters)).toEqual(nothing(DOCUMENTS));
});

slowTest(
  "tables at the start, in the middle and at the end stand where they stand alone",
  async () => {
    const documents = Array.from({ length: DOCUMENTS }, (_, index) => {
      const rows = Array.from({ length: 2 + index * 3 }, (_row, row) => [`${row}`, words(row % 9)]);
      const parts = [table(...rows), paragraph(words(20))];
      return docxOf((index % 2 === 0 ? parts : parts.toReversed()).join(""), FOOTER);
    });
    expect(await compared("tables", documents)).toEqual(nothing(DOCUMENTS));
  },
);

slowTest("lists are numbered from the start in each document", async () => {
  const item = (text: string): string =>
    paragraph(text, '<w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr>');
  const numbering = lists("decimal", '<w:lvlText w:val="%1."/>');
  const documents = Array.from({ length: DOCUMENTS }, (_, index) => {
    const items = Array.from({ length: 1 + (index % 6) }, (_item, place) =>
      item(`Item ${place} of ${index}`),
    );
    return docxOf(items.join("") + paragraph("End"), { numbering });
  });
  expect(await compared("lists", documents)).toEqual(nothing(DOCUMENTS));
});
