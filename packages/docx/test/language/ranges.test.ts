import { describe, expect, test } from "vitest";
import { p, table } from "../../../ooxml/test/support/docx.ts";
import { outcome, printed, printedBody, told } from "../support/language.ts";

describe("a list of numbers", () => {
  test.each([
    ["{{for n in $range(copies)}}{{n}};{{endfor}}", "1;2;3;"],
    ["{{for n in copies.range()}}{{n}};{{endfor}}", "1;2;3;"],
    ["{{for n in copies :: range}}{{n}};{{endfor}}", "1;2;3;"],
    ["{{for n in $range(3)}}{{n}};{{endfor}}", "1;2;3;"],
    ["{{for n in $range(2, copies + 1)}}{{n}};{{endfor}}", "2;3;4;"],
    ["{{for n in from.range(to)}}{{n}};{{endfor}}", "-1;0;1;"],
    ["{{for n in $range(to, from)}}{{n}};{{endfor}}", ""],
    ["{{for n in $range(0)}}{{n}};{{endfor}}", ""],
    ["{{for n in $range(text)}}{{n}};{{endfor}}", "1;2;"],
    ["{{for n in $range(3).reverse()}}{{n}}{{$number}};{{endfor}}", "31;22;13;"],
    ["{{for n in $range(copies - 1)}}{{for m in $range(n)}}{{m}}{{endfor}};{{endfor}}", "1;12;"],
    ["{{#$range(2)}}{{this}}{{$number}};{{/}}", "11;22;"],
    ["{{#copies.range()}}{{.}};{{/}}", "1;2;3;"],
    [
      "{{$range(4).sum()}} {{$range(3)}} {{copies.range().map(this * 2).join()}}",
      "10 1, 2, 3 2, 4, 6",
    ],
    ["{{for n in $range(2)}}{{copies}}{{names[n - 1]}};{{endfor}}", "3a;3b;"],
  ])("in %s gives %j", async (text, expected) => {
    const data = { copies: 3, from: -1, to: 1, text: "2", names: ["a", "b"] };
    expect(await printed(text, data)).toBe(expected);
    expect((await told(text, data)).filter((each) => !each.includes("unused"))).toEqual([]);
  });

  test("repeats rows and columns", async () => {
    const rows = table([p("{{tablerow n in $range(2)}}{{n}}"), p("{{x}}{{endtablerow}}")]);
    expect(await printedBody(rows, { x: "y" })).toBe("1 | y / 2 | y");
    const columns = table(
      [p("{{tablecolumn n in $range(count)}}{{n}}{{endtablecolumn}}")],
      [p("{{n * n}}")],
    );
    expect(await printedBody(columns, { count: 3 })).toBe("1 | 2 | 3 / 1 | 4 | 9");
    expect(await printedBody(columns.replace("count", "3"), {})).toBe("1 | 2 | 3 / 1 | 4 | 9");
    const both = table([
      p("{{tablerow r in $range(2)}}{{r}}"),
      p("{{tablecolumn c in $range(2)}}{{r * c}}{{endtablecolumn}}{{endtablerow}}"),
    ]);
    expect(await printedBody(both, {})).toBe("1 | 1 | 2 / 2 | 2 | 4");
  });

  test("cannot give each row other columns", async () => {
    const text = "{{tablecolumn c in $range(1, r)}}{{c}}{{endtablecolumn}}{{endtablerow}}";
    const { warnings } = await outcome(table([p("{{tablerow r in rows}}"), p(text)]), {});
    expect(warnings.map(({ code }) => code)).toEqual(["tablecolumn_in_row"]);
  });

  test.each([
    ["$range(v)", "abc", "needs a whole number from 0, but got text", "put a number into the data"],
    ["$range(v)", 1.5, "needs a whole number from 0, but got a number with decimals", "Round it"],
    ["$range(v)", -2, "needs a whole number from 0, but got a negative number", "$range(-2, 3)"],
    ["$range(v)", [1], "needs a whole number from 0, but got a list", "A list needs no range"],
    ["$range(v)", 10_001, "would make more than 10,000 numbers", undefined],
    ["$range(v)", 1e300, "needs a whole number from 0, but got a number", "Round it"],
    ["$range(0, v)", 10_000, "would make more than 10,000 numbers", undefined],
    ["v.range(3)", true, "needs a whole number, but got a boolean", "Name a number"],
    ["v.range(3)", 0.5, "needs a whole number, but got a number with decimals", "Round it"],
  ])("%s of %j is an error with a hint", async (list, v, message, hint) => {
    const { error, warnings } = await outcome(p(`{{for n in ${list}}}{{n}}{{endfor}}`), { v });
    expect(error).toBe("invalid_data");
    expect(warnings).toEqual([
      expect.objectContaining({
        message: expect.stringContaining(message),
        pointer: "/v",
        ...(hint === undefined ? {} : { hint: expect.stringContaining(hint) }),
      }),
    ]);
  });

  test("of a missing number is reported like another missing list", async () => {
    const text = "{{for n in $range(copies)}}{{n}}{{endfor}}";
    const { warnings } = await outcome(p(text), {});
    expect(warnings).toEqual([
      expect.objectContaining({ code: "missing_value", pointer: "/copies" }),
    ]);
    expect(await told(text.replace("}}", " :: optional}}"), {})).toEqual([]);
    for (const list of ["$range(1, to)", "from.range(to)"]) {
      const tag = `{{for n in ${list}}}{{n}}{{endfor}}`;
      const ended = await outcome(p(tag), { from: 1 });
      expect(ended.warnings.filter(({ code }) => code !== "unused_value")).toEqual([
        expect.objectContaining({ code: "missing_value", pointer: "/to" }),
      ]);
      const codes = await told(tag.replace("}}", " :: optional}}"), { from: 1 });
      expect(codes.filter((code) => !code.includes("unused"))).toEqual([]);
    }
  });

  test("is the hint for a loop over a number", async () => {
    const { warnings } = await outcome(p("{{for n in copies}}{{n}}{{endfor}}"), { copies: 3 });
    expect(warnings[0]?.hint).toContain("$range(copies)");
    const literal = await outcome(p("{{for n in 3}}{{n}}{{endfor}}"), {});
    expect(literal.warnings[0]?.hint).toContain("{{for n in $range(3)}}");
  });

  test("has the place of the number it is made of, or of the block around it", async () => {
    const places = async (text: string, data: Record<string, unknown>): Promise<unknown> => {
      const { warnings } = await outcome(p(text), data);
      return warnings.map(({ pointer }) => pointer);
    };
    const bad = '{{n :: format("yyyy")}}{{endfor}}';
    expect(await places(`{{for n in $range(a)}}${bad}`, { a: 1 })).toEqual(["/a"]);
    expect(await places(`{{for n in a.range().reverse()}}${bad}`, { a: 1 })).toEqual(["/a"]);
    expect(await places(`{{for n in $range(1)}}${bad}`, {})).toEqual([""]);
    expect(
      await places(`{{for i in l}}{{for n in $range(1)}}${bad}{{endfor}}`, { l: [{}] }),
    ).toEqual(["/l/0"]);
  });
});

describe("a list that a tag writes out", () => {
  test.each([
    ['{{for c in ["red", "green"]}}{{c}};{{endfor}}', "red;green;"],
    ["{{for c in [1, 2].reverse()}}{{c}};{{endfor}}", "2;1;"],
    ["{{for c in [a, b]}}{{c.n}}{{a.n}};{{endfor}}", "11;21;"],
    ['{{for c in $split("x,y", ",")}}{{c}};{{endfor}}', "x;y;"],
    ['{{for c in $if(yes, ["x", "y"], list)}}{{c}};{{endfor}}', "x;y;"],
    ["{{for c in none ?? [1, 2]}}{{c}};{{endfor}}", "1;2;"],
  ])("is repeated: %s", async (text, expected) => {
    const data = { yes: true, list: [3], a: { n: 1 }, b: { n: 2 } };
    expect(await printed(text, data)).toBe(expected);
    expect((await told(text, data)).filter((each) => !each.includes("unused"))).toEqual([]);
  });

  test("repeats rows and columns", async () => {
    const rows = table([p('{{tablerow c in ["a", "b"]}}{{c}}{{endtablerow}}')]);
    expect(await printedBody(rows, {})).toBe("a / b");
    const columns = table([p('{{tablecolumn c in ["a", "b"]}}{{c}}{{endtablecolumn}}')]);
    expect(await printedBody(columns, {})).toBe("a | b");
  });

  test("has the places of its elements", async () => {
    const text = "{{for c in [a, b]}}{{c.n * 2}}{{endfor}}{{$sum([a.n, b.n])}}";
    const { warnings } = await outcome(p(text), { a: { n: 1 }, b: { n: "x" } });
    expect(warnings.map(({ pointer }) => pointer)).toEqual(["/b/n", "/b/n"]);
  });

  test("is not a single value", async () => {
    for (const list of ["3", '"a"', "true", "1 + 2", "$today", "$if(a, 1, 2)"]) {
      expect(await told(`{{for c in ${list}}}{{c}}{{endfor}}`, { a: 1 })).toEqual([
        "error tag_syntax",
      ]);
    }
  });
});

test("a function over a range names no list of the data in its messages", async () => {
  const { warnings } = await outcome(p("{{$range(2).map(x).join()}}"), {});
  expect(warnings.map(({ message }) => message)).toEqual([
    expect.stringContaining("an item of the list has no value for 'x'"),
  ]);
  const same = await outcome(p("{{$range(2).sum(a)}}"), { a: 1 });
  expect(same.warnings.map(({ message }) => message)).toEqual([
    expect.stringContaining("uses nothing of the items of the list: 'a' is the same"),
  ]);
  expect((await outcome(p('{{$range(3).map(a).join("")}}'), { a: "*" })).warnings).toEqual([]);
});
