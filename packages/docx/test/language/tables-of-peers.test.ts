import { describe, expect, test } from "vitest";
import { bodyOf, p, table } from "../../../ooxml/test/support/docx.ts";
import { outcome } from "../support/language.ts";

type Data = Readonly<Record<string, unknown>>;

/** Returns a table from the texts of its rows and cells. */
function tableOf(...rows: readonly (readonly string[])[]): string {
  return table(...rows.map((cells) => cells.map((text) => p(text))));
}

/** Returns the texts of the cells of each row; `^` for a cell that continues the one above. */
function rowsOf(bytes: Uint8Array): string[] {
  const rows = bodyOf(bytes).split("<w:tr>").slice(1);
  return rows.map((row) => {
    const cells = row.split("<w:tc>").slice(1);
    return cells
      .map((cell) => {
        if (cell.includes("<w:vMerge/>")) return "^";
        return [...cell.matchAll(/<w:t [^>]*>([^<]*)/g)].map(([, text]) => text).join("");
      })
      .join("|");
  });
}

/** Returns the rows of the output, and the hints of all warnings and errors, each after its code. */
async function result(body: string, data: Data): Promise<[rows: string[], hints: string[]]> {
  const { error, bytes, warnings } = await outcome(body, data);
  const told = warnings.filter(({ code }) => code !== "unused_value");
  const hints = told.map(({ code, hint }) => `${code}: ${hint}`);
  return [error === null ? rowsOf(bytes) : [], hints];
}

const USERS = [
  { name: "Ann", age: 30 },
  { name: "Bob", age: 10 },
  { name: "Cid", age: 20 },
];

describe("a column that a condition shows", () => {
  test("does not repeat, so that a result below it is right", async () => {
    const body = tableOf(
      ["Total", "{{tablecolumn if show}}Rate{{endtablecolumn}}"],
      ["{{tablerow r in rows}}{{r.rate}}", "{{r.rate}}{{endtablerow}}"],
      ["x", "{{others.sum(rate)}}"],
    );
    const data = { show: true, rows: [{ rate: 1 }], others: [{ rate: 2 }] };
    expect(await result(body, data)).toEqual([["Total|Rate", "1|1", "x|2"], []]);
  });

  test("is a condition of the list in a column that repeats", async () => {
    const columns = (open: string, close: string): string =>
      tableOf([`${open}{{u.name}}${close}`], ["{{u.age}}"]);
    const [open, close] = ["{{tablecolumn u in users}}", "{{endtablecolumn}}"];
    const inner = `${open}{{tablecolumn if u.age >= 18}}`;
    expect(await result(columns(inner, close + close), { users: USERS })).toEqual([
      [],
      [
        "tablecolumn_in_row: Repeat only some of the columns: {{tablecolumn u in users.where(u.age >= 18)}}, without {{tablecolumn if u.age >= 18}} and its end.",
      ],
    ]);
    const meant = columns("{{tablecolumn u in users.where(u.age >= 18)}}", close);
    expect(await result(meant, { users: USERS })).toEqual([["Ann|Cid", "30|20"], []]);
  });
});

describe("a block that is all content of a row", () => {
  const own = (tags: string, ends: string): string =>
    `empty_row: Put ${tags} into a separate row above this one, and ${ends} into a separate row below it.`;

  test("leaves an empty row, and its tags in separate rows hide it", async () => {
    const body = tableOf(["{{if shown}}text{{endif}}"], ["end"]);
    expect(await result(body, { shown: true })).toEqual([["text", "end"], []]);
    expect(await result(body, { shown: false })).toEqual([
      ["", "end"],
      [own("{{if shown}}", "{{endif}}")],
    ]);
    const meant = tableOf(["{{if shown}}"], ["text"], ["{{endif}}"], ["end"]);
    expect(await result(meant, { shown: false })).toEqual([["end"], []]);
  });

  test("leaves the row if the block is over paragraphs", async () => {
    const body = table([p("{{if shown}}") + p("text") + p("{{endif}}")], [p("end")]);
    expect((await result(body, { shown: false }))[1]).toEqual([own("{{if shown}}", "{{endif}}")]);
  });

  test("is about the items of the loop of the row", async () => {
    const row = (open: string, end: string): string =>
      tableOf([`${open}{{u.name}}${end}{{endtablerow}}`], ["end"]);
    const body = row("{{tablerow u in users}}{{if u.age >= 18}}", "{{endif}}");
    expect(await result(body, { users: USERS })).toEqual([
      ["Ann", "", "Cid", "end"],
      [
        "hidden_items: Repeat only the other items: {{tablerow u in users.where(u.age >= 18)}}, without {{if u.age >= 18}}.",
      ],
    ]);
    const meant = row("{{tablerow u in users.where(u.age >= 18)}}", "");
    expect(await result(meant, { users: USERS })).toEqual([["Ann", "Cid", "end"], []]);
  });

  test("needs the tags of the loop in the same rows for another condition", async () => {
    const [before, after] = ["{{tablerow u in users}}{{if not $last}}", "{{endif}}{{endtablerow}}"];
    const body = tableOf([`${before}to ${after}`], ["end"]);
    expect(await result(body, { users: USERS })).toEqual([
      ["to ", "to ", "", "end"],
      [own(before, after)],
    ]);
    const meant = tableOf([before], ["to "], [after], ["end"]);
    expect(await result(meant, { users: USERS })).toEqual([["to ", "to ", "end"], []]);
  });

  test("belongs around the cells if all have the same condition", async () => {
    const cells = tableOf(["{{if a}}x{{endif}}", "{{if a}}y{{endif}}"], ["end", ""]);
    expect(await result(cells, { a: false })).toEqual([
      ["|", "end|"],
      [
        "empty_row: To hide the row, put {{if a}} at the beginning of its first cell and {{endif}} at the end of its last cell, and leave out the conditions in the cells.",
      ],
    ]);
    const meant = tableOf(["{{if a}}x", "y{{endif}}"], ["end", ""]);
    expect(await result(meant, { a: false })).toEqual([["end|"], []]);
  });

  test.each([
    ["the only row of a table", [["{{if a}}x{{endif}}"]]],
    ["a block with another branch", [["{{if a}}x{{else}}y{{endif}}"], ["end"]]],
    ["a block in text", [["Note: {{if a}}x{{endif}}"], ["end"]]],
    ["two blocks", [["{{if a}}x{{endif}}{{if not a}}y{{endif}}"], ["end"]]],
    ["a value that is printed if it is there", [["{{if a}}{{a}}{{endif}}"], ["end"]]],
    [
      "other cells",
      [
        ["{{if a}}x{{endif}}", "y"],
        ["end", ""],
      ],
    ],
    [
      "another condition",
      [
        ["{{if a}}x{{endif}}", "{{if not a}}y{{endif}}"],
        ["end", ""],
      ],
    ],
    [
      "an empty cell to fill in",
      [
        ["{{if a}}x{{endif}}", ""],
        ["end", ""],
      ],
    ],
  ])("is not reported for %s", async (_title, rows) => {
    expect((await result(tableOf(...rows), { a: false }))[1]).toEqual([]);
  });

  test("is not reported for a value that the row prints if it is there, in a loop", async () => {
    const row = "{{tablerow l in lines}}{{if l.text}}{{l.text}}{{endif}}{{endtablerow}}";
    const lines = [{ text: "a" }, { text: "" }, { text: "b" }];
    expect(await result(tableOf([row], ["end"]), { lines })).toEqual([["a", "", "b", "end"], []]);
  });

  test("is not reported for a box with a height", async () => {
    const height = '<w:tr><w:trPr><w:trHeight w:val="900"/></w:trPr>';
    const body = tableOf(["{{if a}}x{{endif}}"], ["end"]).replace("<w:tr>", height);
    expect((await result(body, { a: false }))[1]).toEqual([]);
  });

  test("leads to separate rows for the look of its row", async () => {
    const look = '{{row :: fill("#D9D9D9")}}';
    const body = tableOf([`{{if a}}${look}x{{endif}}`], ["end"]);
    expect((await result(body, { a: true }))[1]).toEqual([
      "look_in_block: Put {{if a}} into a separate row above this one, and {{endif}} into a separate row below it.",
    ]);
    const meant = tableOf(["{{if a}}"], [`${look}x`], ["{{endif}}"], ["end"]);
    expect(await result(meant, { a: false })).toEqual([["end"], []]);
    const { bytes } = await outcome(meant, { a: true });
    expect(bodyOf(bytes)).toContain('w:fill="D9D9D9"');
  });
});

describe("a block that is all content of a column", () => {
  const open = "{{tablecolumn u in users.sort(age)}}";
  const block = "{{if u.age >= 18}}{{u.name}}{{endif}}";

  test("is a condition of the list", async () => {
    const hint =
      "hidden_items: Repeat only the other items: {{tablecolumn u in users.sort(age).where(u.age >= 18)}}, without {{if u.age >= 18}}.";
    for (const below of [[], [[""]], [["{{if u.age >= 18}}{{u.age}}{{endif}}"]]]) {
      const body = tableOf([`${open}${block}{{endtablecolumn}}`], ...below);
      expect((await result(body, { users: USERS }))[1]).toEqual([hint]);
    }
    const meant =
      "{{tablecolumn u in users.sort(age).where(u.age >= 18)}}{{u.name}}{{endtablecolumn}}";
    expect(await result(tableOf([meant]), { users: USERS })).toEqual([["Cid|Ann"], []]);
  });

  test.each([
    ["all items are shown", [[`${open}{{if u.age >= 5}}{{u.name}}{{endif}}{{endtablecolumn}}`]]],
    ["other cells print more", [[`${open}${block}{{endtablecolumn}}`], ["{{u.age}}"]]],
    ["the cell prints more", [[`${open}Name ${block}{{endtablecolumn}}`]]],
    [
      "it depends on the position",
      [[`${open}{{if not $first}}{{u.name}}{{endif}}{{endtablecolumn}}`]],
    ],
    ["it is another condition", [[`${open}{{if a}}{{u.name}}{{endif}}{{endtablecolumn}}`]]],
  ])("is not reported if %s", async (_title, rows) => {
    expect((await result(tableOf(...rows), { users: USERS, a: false }))[1]).toEqual([]);
  });
});

describe("the number of a row with merge", () => {
  const schools = [
    { name: "North", classes: [{ name: "1a" }, { name: "1b" }] },
    { name: "South", classes: [{ name: "2a" }, { name: "2b" }] },
  ];
  const rows = (number: string): string =>
    tableOf([
      `{{tablerow s in schools}}{{tablerow k in s.classes}}${number}`,
      "{{k.name}}{{endtablerow}}{{endtablerow}}",
    ]);

  test("is the one of the outer item", async () => {
    for (const name of ["$number", "$index", "k.$number"]) {
      const [, hints] = await result(rows(`{{${name} :: merge}}`), { schools });
      const meant = name.replace("k.", "");
      expect(hints).toEqual([
        `modifier_without_effect: For the number of the item of {{tablerow s in schools}} write {{s.${meant} :: merge}}.`,
      ]);
    }
    expect(await result(rows("{{s.$number :: merge}}"), { schools })).toEqual([
      ["1|1a", "^|1b", "2|2a", "^|2b"],
      [],
    ]);
  });

  test("is the one of a group in a single loop", async () => {
    const items = [
      { name: "a", kind: "x" },
      { name: "b", kind: "x" },
      { name: "c", kind: "y" },
    ];
    const body = tableOf([
      "{{tablerow i in items}}{{$number :: merge}}",
      "{{i.name}}{{endtablerow}}",
    ]);
    expect((await result(body, { items }))[1]).toEqual([
      "modifier_without_effect: Leave out 'merge'. For one number for several rows, repeat groups of them: {{tablerow g in items.group(key)}}{{tablerow i in g.items}}{{g.$number :: merge}}.",
    ]);
    const around = `${p("{{for o in orders}}")}${body}${p("{{endfor}}")}`;
    expect((await result(around, { items, orders: [1] }))[1]).toEqual(
      (await result(body, { items }))[1],
    );
    const meant = tableOf([
      "{{tablerow g in items.group(kind)}}{{tablerow i in g.items}}{{g.$number :: merge}}",
      "{{i.name}}{{endtablerow}}{{endtablerow}}",
    ]);
    expect(await result(meant, { items })).toEqual([["1|a", "^|b", "2|c"], []]);
  });

  test("is not reported with a value to compare, or in columns", async () => {
    expect((await result(rows("{{$number :: merge(s.name)}}"), { schools }))[1]).toEqual([]);
    const columns = tableOf([
      "{{tablerow s in schools}}{{s.name}}",
      "{{tablecolumn n in numbers}}{{n.$number :: merge}}{{endtablecolumn}}{{endtablerow}}",
    ]);
    expect((await result(columns, { schools, numbers: [1, 2] }))[1]).toEqual([]);
  });
});

describe("merged cells of an inner loop", () => {
  const genes = [
    { gene: "X", items: [{ level: "a" }, { level: "b" }] },
    { gene: "Y", items: [{ level: "b" }, { level: "b" }] },
  ];
  const rows = (merge: string, left = "{{g.gene :: merge}}"): string =>
    tableOf([
      `{{tablerow g in genes}}{{tablerow i in g.items}}${left}`,
      `{{i.level :: ${merge}}}{{endtablerow}}{{endtablerow}}`,
    ]);

  test("end with the cell of the outer item if they compare both values", async () => {
    const both = 'merge($concat(g.gene, "/", i.level))';
    expect(await result(rows("merge"), { genes })).toEqual([
      ["X|a", "^|b", "Y|^", "^|^"],
      [
        `doubtful_group: Compare both values: {{i.level :: ${both}}}. If the cell is to continue, write {{i.level :: merge(i.level)}}.`,
      ],
    ]);
    expect(await result(rows(both), { genes })).toEqual([["X|a", "^|b", "Y|b", "^|^"], []]);
  });

  test("are not reported if this is meant, or if no cell to the left ends", async () => {
    expect((await result(rows("merge(i.level)"), { genes }))[1]).toEqual([]);
    expect((await result(rows("merge", "{{g.gene}}"), { genes }))[1]).toEqual([]);
    const same = genes.map((each) => ({ ...each, gene: "X" }));
    expect((await result(rows("merge"), { genes: same }))[1]).toEqual([]);
    const different = genes.map((each, index) => ({ ...each, items: [{ level: `${index}` }] }));
    expect((await result(rows("merge"), { genes: different }))[1]).toEqual([]);
  });
});

describe("a tag that merges equal texts that are apart", () => {
  const rows = ["x", "y", "x"].map((label) => ({ label }));
  const body = (tag: string): string =>
    tableOf([`{{tablerow r in rows}}${tag}`, "-{{endtablerow}}"]);

  test("says with an argument that the order is meant", async () => {
    expect((await result(body("{{r.label :: merge}}"), { rows }))[1]).toEqual([
      "unsorted_merge: Write {{tablerow r in rows.sort(label)}}. If the order is meant, write {{r.label :: merge(r.label)}}.",
    ]);
    for (const cell of ["", "Label "]) {
      const meant = body(`${cell}{{r.label :: merge(r.label)}}`);
      expect((await result(meant, { rows }))[1]).toEqual([]);
    }
  });

  test("is reported with an argument that another value of the cell needs", async () => {
    const [, hints] = await result(body("{{$number}} {{r.label :: merge(r.label)}}"), { rows });
    expect(hints).toEqual(["unsorted_merge: Write {{tablerow r in rows.sort(label)}}."]);
  });
});

test("the condition for a delimiter has the one of the tag", async () => {
  const { warnings } = await outcome(
    p('{{for r in rows}}{{r :: delimiter(" / ")}} done{{endfor}}'),
    { rows: ["x", "y"] },
  );
  expect(warnings.map(({ hint }) => hint)).toEqual([
    "For a delimiter between the items, write {{if not $last}} / {{endif}} at the end of the loop.",
  ]);
});
