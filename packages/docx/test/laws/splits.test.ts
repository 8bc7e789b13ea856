import { isQuireError } from "@quire/contracts";
import fc from "fast-check";
import { expect, test } from "vitest";
import { manyRuns } from "../../../contracts/test/support/runs.ts";
import { partOf } from "../../../ooxml/test/support/docx.ts";
import { compileTemplate } from "../../src/index.ts";
import {
  NOISE,
  type Plan,
  randomTemplate,
  SPLIT_DATA,
  type Strip,
  written,
} from "../support/split-template.ts";
import { styledText } from "../support/styled-text.ts";
import { wordFile } from "../support/word-file.ts";

/** The number of splits. */
const CASES = manyRuns(80, 1_000);
const PER_TEMPLATE = 4;

/** Returns the output that a reader sees, or the errors of the template, and the diagnostics of its values. */
async function outcome(
  strips: readonly Strip[],
  write: (strip: Strip) => string,
): Promise<unknown> {
  const body = strips.map(write).join("");
  const bytes = wordFile({ body: `${body}<w:p/>`, parts: { "header1.xml": `${body}<w:p/>` } });
  try {
    const { bytes: rendered, warnings } = (await compileTemplate(bytes)).render(SPLIT_DATA);
    return {
      body: styledText(partOf(rendered)),
      header: styledText(partOf(rendered, "word/header1.xml")),
      told: warnings.map(({ code, message, pointer }) => `${code} ${pointer} ${message}`),
    };
  } catch (error) {
    if (!isQuireError(error)) throw error;
    return error.diagnostics.map(({ code, message }) => `${code} ${message}`);
  }
}

test("a template split over runs anywhere renders to the same text and formatting", async () => {
  const tally = { rendered: 0, refused: 0 };
  const plans = fc.array(fc.record({ seed: fc.integer() }), {
    minLength: PER_TEMPLATE,
    maxLength: PER_TEMPLATE,
  });
  await fc.assert(
    fc.asyncProperty(
      fc.integer(),
      fc.integer({ min: 1, max: 30 }),
      plans,
      async (seed, size, splits) => {
        const strips = randomTemplate(seed, size);
        const whole = await outcome(strips, (strip) => written(strip, null));
        tally[Array.isArray(whole) ? "refused" : "rendered"] += 1;
        for (const { seed: cuts } of splits) {
          const plan: Plan = { seed: cuts, noise: NOISE };
          expect(await outcome(strips, (strip) => written(strip, plan))).toEqual(whole);
        }
      },
    ),
    { numRuns: Math.ceil(CASES / PER_TEMPLATE) },
  );
  // Most templates must render. Otherwise, the test proves little.
  expect(tally.rendered).toBeGreaterThan(tally.refused * 2);
}, 600_000);
