import { describe, expect, test } from "vitest";
import { p, table } from "../../../ooxml/test/support/docx.ts";
import { outcome } from "../support/language.ts";

const DATA = {
  months: [
    { name: "Jan", key: "jan", show: false },
    { name: "Feb", key: "feb", show: true },
    { name: "Mar", key: "mar", show: true },
  ],
  rows: [
    { shop: "A", sales: [1, 2, 3], byMonth: { jan: 1, feb: 2, mar: 3 } },
    { shop: "B", sales: [4, 5, 6], byMonth: { jan: 4, feb: 5, mar: 6 } },
  ],
  labels: ["First", "Second", "Third"],
};

/** A table with a column for each month, and a row for each shop with the given cell. */
const monthly = (list: string, cell: string, last = "x"): string =>
  table(
    [p("Shop"), p(`{{tablecolumn m in ${list}}}{{m.name}}{{endtablecolumn}}`)],
    [p("{{tablerow r in rows}}{{r.shop}}"), p(`${cell}{{endtablerow}}`)],
    [p("Total"), p(last)],
  );

async function hints(body: string): Promise<string[]> {
  const { warnings } = await outcome(body, DATA);
  return warnings
    .filter(({ code }) => code === "list_in_loop")
    .map(({ message, hint }) => `${message} ${hint}`);
}

describe("$index in a loop over some of the items, or in another order", () => {
  test.each([
    "months.where(show)",
    "months.sort(name)",
    "months.skip(1)",
    "months.reverse()",
    "months.where(show).limit(1)",
  ])("is not the position in a list for all items: %s", async (list) => {
    expect(await hints(monthly(list, "{{r.sales[$index]}}"))).toEqual([
      `In the tag {{r.sales[$index]}}, $index is the position in '${list}', which is not the one in 'months'. ` +
        "If 'r.sales' has a value for each item of 'months', make it an object with a key for each of them, and write r.sales[m.key].",
    ]);
  });

  test("is also reported with the name of the item, and within a function", async () => {
    const list = "months.where(show)";
    const found = await hints(
      monthly(list, "{{r.sales[m.$index]}}", "{{rows.sum(sales[m.$index])}}"),
    );
    expect(found.map((each) => each.slice(0, each.indexOf(" is the")))).toEqual([
      "In the tag {{r.sales[m.$index]}}, m.$index",
      "In the tag {{rows.sum(sales[m.$index])}}, m.$index",
    ]);
    const inner = p(
      "{{for r in rows}}{{for m in months.sort(name)}}{{if m.show}}{{r.sales[$index]}}{{endif}}{{endfor}}{{endfor}}",
    );
    expect(await hints(inner)).toHaveLength(1);
  });

  test("the hint leads to the right values", async () => {
    const body = monthly("months.where(show)", "{{r.byMonth[m.key]}}");
    const { lines, warnings } = await outcome(body, DATA);
    expect(warnings.filter(({ code }) => code === "list_in_loop")).toEqual([]);
    expect(lines).toContain("A | 2 | 3");
    expect(lines).toContain("B | 5 | 6");
  });

  test.each([
    monthly("months", "{{r.sales[$index]}}"),
    monthly("months.limit(2)", "{{r.sales[$index]}}"),
    // Labels in the order of the document.
    p("{{for m in months.sort(name)}}{{labels[$index]}} {{m.name}}{{endfor}}"),
    p("{{for m in months.where(show)}}{{for r in rows}}{{r.sales[$index]}}{{endfor}}{{endfor}}"),
    p("{{for m in months.where(show)}}{{m.name}} {{rows.sum(sales[$index])}}{{endfor}}"),
  ])("gives no warning where the position is right, or may be meant", async (body) => {
    const found = await hints(body);
    expect(found.filter((each) => each.includes("which is not the one in"))).toEqual([]);
  });
});
