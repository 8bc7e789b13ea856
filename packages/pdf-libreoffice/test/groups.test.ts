/** Documents of one template that are converted as one are what each would be for itself. */
import { readFile } from "node:fs/promises";
import { compileTemplate } from "@quire/core";
import { expect } from "vitest";
import { libreOffice } from "../src/index.ts";
import { differenceBetween } from "../src/join/same-document.ts";
import { docx, paragraph } from "./docx.ts";
import { closing, lanesIn, officesIn, slowTest, testFolder, until } from "./laboratory.ts";

const TEMPLATES = new URL("../../../examples/templates/", import.meta.url);
const DATA = new URL("../../../examples/data/", import.meta.url);

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
  const documents = await letters(30);
  await using together = closing(libreOffice({ lanes: 1, cacheMb: 0 }));
  await using alone = closing(libreOffice({ lanes: 1, cacheMb: 0, join: "off" }));
  const convert = (office: typeof together) =>
    Promise.all(
      documents.map((document) => office.convert(document, { rendered: true, group: "letters" })),
    );
  const [joined, single] = await Promise.all([convert(together), convert(alone)]);
  for (const [index, { bytes, pages }] of joined.entries()) {
    const other = single[index];
    expect(pages).toBe(other?.pages);
    expect([index, differenceBetween(other?.bytes ?? new Uint8Array(), bytes)]).toEqual([
      index,
      null,
    ]);
  }
  // They really came out of one: its fonts hold the letters of all, so the bytes are others.
  const same = joined.filter(({ bytes }, index) =>
    Buffer.from(bytes).equals(single[index]?.bytes ?? new Uint8Array()),
  );
  expect(same.length).toBeLessThan(20);
});

slowTest(
  "a document that cannot be in a group with the others is converted for itself",
  async () => {
    const documents = await letters(24);
    const stranger = docx({ body: paragraph("Of another template") });
    await using office = closing(libreOffice({ lanes: 1, cacheMb: 0 }));
    const converted = await Promise.allSettled(
      [...documents.slice(0, 10), stranger, Buffer.from("no docx"), ...documents.slice(10)].map(
        (document) => office.convert(document, { rendered: true, group: "mixed" }),
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
  const documents = await letters(40);
  const tempDir = await testFolder();
  await using office = closing(libreOffice({ lanes: 1, cacheMb: 0, tempDir }));
  await office.convert(documents[0] ?? new Uint8Array(), { rendered: true });
  const [victim] = officesIn(tempDir);
  const converting = Promise.all(
    documents.map((document) => office.convert(document, { rendered: true, group: "killed" })),
  );
  process.kill(victim?.pid ?? Number.NaN, "SIGKILL");
  for (const { pages } of await converting) expect(pages).toBeGreaterThan(0);
  await until("one lane is left", () => lanesIn(tempDir).length === 1);
});
