import { expect } from "vitest";
import { docx, p } from "../../../ooxml/test/support/docx.ts";
import { png } from "../../../ooxml/test/support/pictures.ts";
import { WEBP } from "../../../ooxml/test/support/webp.ts";
import { oneField } from "../../../pdf/test/support/pdf.ts";
import {
  type BatchRequest,
  createEngine,
  type Engine,
  memoryStorage,
  renderPool,
  type Storage,
} from "../../src/index.ts";
import { all, entry, request, template } from "./engine.ts";

const SVG = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><broken></svg>');

const files = {
  "letter.docx": template,
  "order.docx": docx({
    body:
      p("{{name}} {{logo :: optional}} {{if paid}}{{amount :: number('0.00')}}{{endif}}") +
      p("{{for item in items}}{{item.title}}{{endfor}} {{day :: optional}} {looks like a tag"),
  }),
  "broken.docx": docx({ body: p("{{if a}}") }),
  "including.docx": docx({ body: p('{{include "no.docx"}}') }),
  "text.docx": Buffer.from("hi"),
  "out/taken.docx": template,
  "logo.png": png(4, 4),
  "no-image.png": Buffer.from("hello"),
  "photo.webp": WEBP.lossy,
  "cut.webp": WEBP.lossy.subarray(0, -2),
};

/** Returns a storage with all files of the mixed requests. */
export async function mixedPlace(): Promise<Storage> {
  return memoryStorage({
    files: {
      ...files,
      "form.pdf": await oneField("name", (field) => field.setMaxLength(5)),
      "broken.pdf": Buffer.from("%PDF-1.7"),
    },
  });
}

const whole = { name: "Ann", paid: true, amount: 5, items: [{ title: "Tea" }] };

/** Entries, most of which have different outcomes. */
export const MIXED: readonly object[] = [
  entry("fine", whole),
  entry("taken", whole),
  entry("Fine", whole),
  entry("fine", {}),
  entry("object", { ...whole, name: { first: "Ann" } }),
  entry("not a list", { ...whole, items: "Tea", name: 7 }),
  entry("not a number", { ...whole, amount: "much" }),
  entry("unused", { ...whole, more: 1 }),
  entry("picture", { ...whole, logo: { type: "file", id: "logo.png" } }),
  entry("no picture", { ...whole, logo: { type: "file", id: "no-image.png" } }),
  entry("lost picture", { ...whole, logo: { type: "file", id: "no.png" } }),
  entry("bad drawing", { ...whole, logo: SVG.toString("base64") }),
  entry("photo", { ...whole, logo: { type: "file", id: "photo.webp" } }),
  entry("bad photo", { ...whole, logo: { type: "file", id: "cut.webp" } }),
  entry("dated", { ...whole, day: new Date(0) }),
  entry("code", { ...whole, name: () => "Ann" }),
  { ...entry("german", whole), locale: "de-DE", time_zone: "Europe/Berlin" },
  entry("long", { ...whole, name: "Annabella" }),
  entry("markup", { ...whole, name: "<b>Ann</b>" }),
];

/** The options of each mixed request, by name. */
export const REQUESTS: readonly [string, Partial<BatchRequest>][] = [
  ["a letter", {}],
  ["an order", { file: { type: "file", id: "order.docx" } }],
  ["an order with gaps", { file: { type: "file", id: "order.docx" }, on_missing: "blank" }],
  ["an order without gaps", { file: { type: "file", id: "order.docx" }, on_missing: "fail" }],
  [
    "an order with rich text only where tagged",
    { file: { type: "file", id: "order.docx" }, rich_text: "tagged" },
  ],
  ["names that must not change", { on_conflict: "fail" }],
  ["a wrong template", { file: { type: "file", id: "broken.docx" } }],
  ["a template that includes a missing file", { file: { type: "file", id: "including.docx" } }],
  ["a text in place of a template", { file: { type: "file", id: "text.docx" } }],
  ["invalid delimiters", { delimiters: { start: "a", end: "a" } }],
  ["a form", { file: { type: "file", id: "form.pdf" }, output_type: "pdf" }],
  ["a form as Word document", { file: { type: "file", id: "form.pdf" } }],
  [
    "a form with an option for conversions",
    { file: { type: "file", id: "form.pdf" }, output_type: "pdf", pdf: { open_password: "x" } },
  ],
  [
    "a form with metadata",
    {
      file: { type: "file", id: "form.pdf" },
      output_type: "pdf",
      pdf: { metadata: { title: "An order" } },
    },
  ],
  [
    "a form with an invalid date",
    {
      file: { type: "file", id: "form.pdf" },
      output_type: "pdf",
      pdf: { metadata: { date: "yesterday" } },
    },
  ],
  ["a wrong form", { file: { type: "file", id: "broken.pdf" }, output_type: "pdf" }],
];

/** Checks a batch and runs it. Both must report the same for each entry. */
export async function checksAsItRuns(
  engine: Engine,
  asked: BatchRequest,
  name = "the batch",
): Promise<void> {
  const check = await engine.checkBatch(asked);
  const { id } = await engine.createBatch(asked);
  const jobs = await all(engine.jobs(id));
  expect(
    check.entries.map(({ fileName, ...told }) => told),
    name,
  ).toEqual(
    jobs.map(({ entry, requestedName, errors, warnings }) => ({
      entry,
      requestedName,
      errors,
      warnings,
    })),
  );
  for (const [index, { outputFile }] of jobs.entries()) {
    if (outputFile) expect(check.entries[index]?.fileName).toBe(outputFile.name);
  }
}

/** Checks and runs the mixed batch in the processes of a pool, for each request. */
export async function poolChecksAsItRuns(requests: typeof REQUESTS): Promise<void> {
  const renderer = renderPool({ processes: 1 });
  for (const [name, more] of requests) {
    // The engines share the processes.
    const shared = { open: renderer.open.bind(renderer), close: async () => {} };
    await using engine = createEngine({ storage: await mixedPlace(), renderer: shared });
    await checksAsItRuns(engine, request(MIXED, more), name);
  }
  await renderer.close();
}
