import fc from "fast-check";
import { expect, test } from "vitest";
import { Random } from "../../../contracts/test/support/random.ts";
import { manyRuns } from "../../../contracts/test/support/runs.ts";
import { docx, partOf } from "../../../ooxml/test/support/docx.ts";
import { compileTemplate } from "../../src/index.ts";
import { draw } from "../support/draw.ts";
import { randomData, randomDocument } from "../support/model.ts";
import { Oracle, type Seen } from "../support/oracle.ts";
import { seenIn } from "../support/seen.ts";

/** `QUIRE_ORACLE_RUNS` sets the number of cases. Errors have occurred about once in 8,000 cases. */
const RUNS = Number(process.env.QUIRE_ORACLE_RUNS ?? manyRuns(60, 1_200));
const TIMEOUT_MS = 60_000 + RUNS * 200;

/** Cases that failed once: a delimiter after an empty string, and text boxes with two tables. */
const EXAMPLES: [seed: number, size: number][] = [
  [-850868065, 30],
  [96909828, 35],
  [284362489, 37],
];

test(
  "a random document renders according to the rules of the language, for any layout of its tags",
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer(), fc.integer({ min: 1, max: 40 }), async (seed, size) => {
        const random = new Random(seed, size);
        const body = randomDocument(random);
        random.budget = size / 5;
        const header = randomDocument(random);
        const data = randomData(random);
        const drawings = [draw(random, body, "body"), draw(random, header, "header")] as const;
        const bytes = docx({ body: drawings[0].xml, stories: { "header1.xml": drawings[1].xml } });
        const rendered = (await compileTemplate(bytes)).render(data);

        const missing = new Set<string>();
        for (const [index, model] of [body, header].entries()) {
          const part = ["word/document.xml", "word/header1.xml"][index];
          const oracle = new Oracle(data, drawings[index]?.formatOf ?? (() => 0));
          const seen = seenIn(partOf(rendered.bytes, part));
          const story = oracle.story(model);
          const ended = index === 0 ? withoutLast(seen, story) : seen;
          expect(ended).toEqual(index === 0 ? story : oracle.container(model));
          for (const name of oracle.missing) missing.add(name);
        }
        // At most a hundred diagnostics of one kind are reported.
        const told = rendered.warnings.filter(({ code }) => code === "missing_value");
        if (told.length >= 100) return;
        const messages = [...missing].map(
          (name) => `The tag '${name}' was not provided in the input data.`,
        );
        expect(new Set(told.map(({ message }) => message))).toEqual(new Set(messages));
      }),
      { numRuns: RUNS, examples: EXAMPLES },
    );
  },
  TIMEOUT_MS,
);

/** Removes the last paragraph if Quire may have added it: after a table, or to an empty body. */
function withoutLast(seen: readonly Seen[], story: readonly Seen[]): readonly Seen[] {
  const last = story.at(-1);
  const open = last === undefined || "table" in last;
  return open && seen.length === story.length + 1 ? seen.slice(0, -1) : seen;
}
