import fc from "fast-check";
import { expect, test } from "vitest";
import { manyRuns } from "../../../contracts/test/support/runs.ts";
import { compileText } from "../../src/compile-text.ts";
import {
  COMPARISONS,
  compareDays,
  type DateData,
  dateData,
  dateEnd,
  dateStep,
  isoText,
} from "../support/date-cases.ts";

const CASES = manyRuns(2_000, 100_000);

const steps = fc.array(dateStep, { maxLength: 4 });
const texts = ({ from, to, n }: DateData) => ({ from: isoText(from), to: isoText(to), n });

test("any composition of functions of dates prints what counting day by day gives", () => {
  fc.assert(
    fc.property(dateData, steps, dateEnd, (data, each, last) => {
      const tag = `from${each.map((step) => step.tag).join("")}${last.tag}`;
      const day = each.reduce((at, step) => step.of(at, data), data.from);
      expect(compileText(`{{${tag}}}`).render(texts(data)), tag).toBe(last.of(day, data));
    }),
    { numRuns: CASES },
  );
});

test("dates are compared like their days", () => {
  const comparison = fc.constantFrom(...Object.entries(COMPARISONS));
  fc.assert(
    fc.property(dateData, steps, comparison, (data, each, [sign, holds]) => {
      const tag = `from${each.map((step) => step.tag).join("")} ${sign} to`;
      const day = each.reduce((at, step) => step.of(at, data), data.from);
      const printed = compileText(`{{$if(${tag}, "yes", "no")}}`).render(texts(data));
      expect(printed, tag).toBe(holds(day, data.to) ? "yes" : "no");
    }),
    { numRuns: CASES / 4 },
  );
});

test("lists are filtered, sorted and grouped by functions of their dates", () => {
  const list = fc.array(dateData, { minLength: 1, maxLength: 10 });
  fc.assert(
    fc.property(list, dateStep, dateEnd, (items, step, last) => {
      const tag = `items.where(from${step.tag} > to).sort(from, to desc).group(from${step.tag}${last.tag}).map($concat(key, "=", items.count())).join(";")`;
      if (last.tag.includes("::")) return;
      const kept = items
        .filter((data) => compareDays(step.of(data.from, data), data.to) > 0)
        .sort((a, b) => compareDays(a.from, b.from) || compareDays(b.to, a.to));
      const groups = Map.groupBy(kept, (data) => last.of(step.of(data.from, data), data));
      const expected = [...groups].map(([key, each]) => `${key}=${each.length}`).join(";");
      expect(compileText(`{{${tag}}}`).render({ items: items.map(texts) }), tag).toBe(expected);
    }),
    { numRuns: CASES / 4 },
  );
});
