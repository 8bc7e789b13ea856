import { compileTemplate, compileText } from "@quire/docx";
import type { PlaceUse } from "@quire/docx/internal/inspect/place-use";
import { describe, expect, test } from "vitest";
import { docx, p } from "../../ooxml/test/support/docx.ts";
import { compilePdfForm } from "../src/index.ts";
import { everyField } from "./support/pdf.ts";

type Flag = keyof Omit<PlaceUse, "texts" | "tags">;

/** Returns the names of the uses of a path in a template with these paragraphs. */
async function usesOf(path: string, ...paragraphs: string[]): Promise<Flag[] | null> {
  const template = await compileTemplate(
    docx({ body: paragraphs.map((text) => p(text)).join("") }),
  );
  return flagsOf(template.useOf(path.split(".")));
}

function flagsOf(use: PlaceUse | null): Flag[] | null {
  if (use === null) return null;
  return Object.entries(use).flatMap(([name, value]) => (value === true ? [name as Flag] : []));
}

describe("the use of a path in the data:", () => {
  test.for<[string, Flag[]]>([
    ["{{v}}", ["asText"]],
    ["{{v :: uppercase}}", ["asText"]],
    ["{{v :: html}}", ["asText", "asTextOnly"]],
    ['{{v :: link("x")}}', ["asText", "asTextOnly"]],
    ["{{v :: qrcode}}", ["asText", "asTextOnly"]],
    ["{{v :: number(2)}}", ["formattedNumber"]],
    ['{{v :: format("dd.MM.yyyy")}}', ["formattedDate"]],
    ["{{v :: checkbox}}", ["asCondition", "onlyTrueOrFalse"]],
    ["{{v + 1}}", ["asNumber"]],
    ["{{$round(v, 2)}}", ["asNumber"]],
    ["{{$sum(v)}}", ["asNumber"]],
    ["{{$length(v)}}", ["asText", "asTextOnly"]],
    ["{{if v}}x{{endif}}", ["asCondition", "onlyTrueOrFalse"]],
    ["{{if not v and other}}x{{endif}}", ["asCondition", "onlyTrueOrFalse"]],
    ["{{if v isPresent}}x{{endif}}", []],
    ["{{if v isEmpty}}x{{endif}}", []],
    ["{{if v == null}}x{{endif}}", []],
    ["{{if v}}{{v}}{{endif}}", ["asText", "asCondition"]],
    ["{{#v}}x{{/v}}", ["asCondition", "onlyTrueOrFalse"]],
    ["{{^v}}x{{/v}}", ["asCondition", "onlyTrueOrFalse"]],
    ["{{if v == 3}}x{{endif}}", ["asNumber"]],
    ["{{if v != other * 2}}x{{endif}}", ["asNumber"]],
    ["{{if 3 < v}}x{{endif}}", ["asNumber"]],
    ['{{if v > "9"}}x{{endif}}', ["asNumber"]],
    ['{{if v > "M"}}x{{endif}}', ["asText", "asTextOnly"]],
    ["{{if v < other}}x{{endif}}", ["inOrder"]],
    ["{{if v < other}}x{{endif}}{{other * 2}}", ["asNumber"]],
    ["{{if v == true}}x{{endif}}", ["asBoolean", "onlyTrueOrFalse"]],
    ["{{if v != (other > 3)}}x{{endif}}", ["asBoolean", "onlyTrueOrFalse"]],
    ['{{if v == "a"}}x{{endif}}', ["asText"]],
    ["{{if v == other}}x{{endif}}", ["asText"]],
    ['{{if v contains "a"}}x{{endif}}', ["asText", "asTextOnly"]],
    ["{{if list contains v}}x{{endif}}", ["asText"]],
  ])("%s", async ([tag, flags]) => {
    expect(await usesOf("v", tag)).toEqual(flags);
  });

  test("includes the strings that it is compared with, and the tags that name it", async () => {
    const body = p('{{if v == "a"}}{{elseif v == "b" or v == 3}}{{endif}}{{if v != "c"}}{{endif}}');
    const use = (await compileTemplate(docx({ body }))).useOf(["v"]);
    expect(new Set(use?.texts)).toEqual(new Set(["a", "b", "c"]));
    expect(use?.tags).toEqual([
      '{{if v == "a"}}',
      '{{elseif v == "b" or v == 3}}',
      '{{if v != "c"}}',
    ]);
  });

  test("is null for a path that no tag names", async () => {
    expect(await usesOf("other", "{{v}}")).toBeNull();
    expect(await usesOf("v.other", "{{v}}")).toBeNull();
  });

  test("is found in objects, loops, headers and notes", async () => {
    expect(await usesOf("a.b", "{{a.b + 1}} {{if a.b}}x{{endif}}")).toEqual([
      "asNumber",
      "asCondition",
    ]);
    expect(await usesOf("v", "{{for x in xs}}{{if v}}x{{endif}}{{endfor}}")).toEqual([
      "asCondition",
      "onlyTrueOrFalse",
    ]);
    const header = await compileTemplate(
      docx({ body: p(""), stories: { "header1.xml": p("{{v :: checkbox}}") } }),
    );
    expect(flagsOf(header.useOf(["v"]))).toEqual(["asCondition", "onlyTrueOrFalse"]);
  });

  test("considers a name in sections as a key of each item and of the data", async () => {
    const text = "{{#a}}{{#b}}{{if v}}x{{endif}}{{/b}}{{/a}}";
    for (const path of ["a.b.v", "a.v", "b.v", "v"]) {
      expect([path, await usesOf(path, text)]).toEqual([path, ["asCondition", "onlyTrueOrFalse"]]);
    }
    expect(await usesOf("b.a.v", text)).toBeNull();
  });
});

test("compileText reports the same uses", () => {
  const { useOf } = compileText("{{a}}-{{b + 1}}");
  expect([flagsOf(useOf(["a"])), flagsOf(useOf(["b"])), useOf(["c"])]).toEqual([
    ["asText"],
    ["asNumber"],
    null,
  ]);
});

test("check boxes in a form take strings, because they accept words such as yes and no", async () => {
  const form = await compilePdfForm(await everyField());
  expect(flagsOf(form.useOf(["agreed"]))).toEqual(["asText"]);
  expect(flagsOf(form.useOf(["customer", "name"]))).toEqual(["asText"]);
  expect(form.useOf(["other"])).toBeNull();
});
