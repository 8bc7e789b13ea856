/** Joined documents of one template. Their PDFs look the same as those from single conversions. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { ConvertedDocument, ConverterJoining } from "@quire/contracts";
import { compileTemplate } from "@quire/core";
import { expect } from "vitest";
import { differenceBetween } from "../src/join/same-document.ts";
import { docx, hangingDocx } from "./docx.ts";
import { bothWays, compared, DEADLINE_MS, DOCUMENTS, FOOTER, nothing, words } from "./grouped.ts";
import { docxOf, paragraph } from "./join-kit.ts";
import {
  laneFolders,
  lanesIn,
  rejection,
  slowTest,
  stoppedClock,
  until,
  untilHanging,
} from "./laboratory.ts";

const TEMPLATES = new URL("../../../examples/templates/", import.meta.url);
const DATA = new URL("../../../examples/data/", import.meta.url);

/** The number of letters. The first ones are converted alone, and the others are enough for a probe. */
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

function inGroup(documents: readonly Uint8Array[], group: string): Promise<ConvertedDocument[]> {
  const options = { rendered: true, group };
  return Promise.all(documents.map((document) => joining.convert(document, options)));
}

/** Whether a PDF is part of a joined one: LibreOffice writes a checksum into its XMP, which the parts lose. */
function isJoined({ bytes }: ConvertedDocument): boolean {
  return !Buffer.from(bytes).includes("/DocChecksum");
}

/** Whether a lane has a document with this text, which was written without compression. */
async function hasText(tempDir: string, text: string): Promise<boolean> {
  for (const lane of await laneFolders(tempDir)) {
    for (const name of await readdir(join(lane, "work")).catch(() => [])) {
      const bytes = await readFile(join(lane, "work", name)).catch(() => Buffer.alloc(0));
      if (bytes.includes(text)) return true;
    }
  }
  return false;
}

function counted(): ConverterJoining {
  return joining.joining?.() ?? { joined: 0, separate: 0, refused: {} };
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
  const { joined: together, separate, refused } = counted();
  expect(together).toBeGreaterThan(LETTERS / 3);
  const distinct = new Set(documents.map((each) => Buffer.from(each).toString("latin1"))).size;
  expect([together + separate, refused]).toEqual([distinct, {}]);
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

slowTest(
  "after a LibreOffice crashed with a group, documents of the group are joined again",
  async () => {
    const [before, after] = [await letters(LETTERS), await letters(2 * LETTERS)];
    await joining.convert(before[0] ?? new Uint8Array(), { rendered: true });
    const converting = inGroup(before, "crashes");
    process.kill((await untilHanging(joining.tempDir)).pid, "SIGSEGV");
    for (const { pages } of await converting) expect(pages).toBeGreaterThan(0);
    const converted = await inGroup(after.slice(LETTERS), "crashes");
    expect(converted.filter(isJoined).length).toBeGreaterThan(LETTERS / 3);
    await until("one lane remains", () => lanesIn(joining.tempDir).length === 1);
  },
);

slowTest(
  "a lane that replaces another joins few documents of a group that was proven",
  async () => {
    const documents = await letters(3 * LETTERS);
    await inGroup(documents.slice(0, 2 * LETTERS), "proven");
    const [lane] = lanesIn(joining.tempDir);
    process.kill(lane?.pid ?? 0, "SIGKILL");
    await until(
      "it has ended",
      () => !lanesIn(joining.tempDir).some(({ pid }) => pid === lane?.pid),
    );
    const few = await inGroup(documents.slice(2 * LETTERS, 2 * LETTERS + 8), "proven");
    expect(few.filter(isJoined).length).toBeGreaterThan(2);
  },
);

slowTest("a document that hangs in a group does not prevent joining the others", async () => {
  const documents = await letters(4);
  await joining.convert(documents[0] ?? new Uint8Array(), { rendered: true });
  const pass = stoppedClock();
  const converting = inGroup(documents, "hangs");
  const hanging = rejection(
    joining.convert(hangingDocx("in a group"), { rendered: true, group: "hangs" }),
  );
  for (const lanes of [1, 2]) {
    await until(`lane ${lanes} has it`, () => hasText(joining.tempDir, "in a group"));
    await pass(DEADLINE_MS);
    if (lanes === 1)
      await until("it has left the lane", async () => {
        return !(await hasText(joining.tempDir, "in a group"));
      });
  }
  expect((await hanging).code).toBe("timeout");
  for (const { pages } of await converting) expect(pages).toBeGreaterThan(0);
  expect((await inGroup(await letters(LETTERS), "hangs")).filter(isJoined)).not.toEqual([]);
});

slowTest("the results of joined documents are kept if another document hangs", async () => {
  const documents = await letters(2 * LETTERS);
  await inGroup(documents.slice(0, LETTERS), "kept");
  const pass = stoppedClock();
  const converting = inGroup(documents.slice(LETTERS), "kept");
  const hanging = rejection(
    joining.convert(hangingDocx("kept apart"), { rendered: true, group: "kept" }),
  );
  // The clock is stopped, so the deadline has not passed.
  expect((await converting).filter(isJoined).length).toBeGreaterThan(LETTERS / 2);
  await until("LibreOffice has it", () => hasText(joining.tempDir, "kept apart"));
  await pass(DEADLINE_MS);
  expect((await hanging).code).toBe("timeout");
});

slowTest("letters of different lengths count their own pages", async () => {
  const letters = Array.from({ length: DOCUMENTS }, (_, index) => {
    const body = Array.from({ length: 1 + (index % 5) * 6 }, () => paragraph(words(60)));
    return docxOf(`${paragraph(`Letter ${index}`)}${body.join("")}`, FOOTER);
  });
  expect(await compared(both, "letters", letters)).toEqual(nothing(DOCUMENTS));
});

slowTest("a group that is not joined is counted with its reason", async () => {
  const before = counted();
  const documents = Array.from({ length: LETTERS }, (_, index) => {
    return docxOf(`${paragraph(`${index}`)}<w:strange/>`);
  });
  const options = { rendered: true, group: "strange" };
  await Promise.all(documents.map((each) => joining.convert(each, options)));
  const { joined, separate, refused } = counted();
  expect([joined, separate]).toEqual([before.joined, before.separate + LETTERS]);
  const reasons = Object.keys(refused).filter((reason) => !(reason in before.refused));
  expect(reasons).toEqual([expect.stringContaining("strange")]);
});
