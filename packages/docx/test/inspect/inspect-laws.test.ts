import type { Diagnostic } from "@quire/contracts";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { manyRuns } from "../../../contracts/test/support/runs.ts";
import { docx, p } from "../../../ooxml/test/support/docx.ts";
import { compileTemplate, type Template } from "../../src/index.ts";
import type { JsonSchema } from "../../src/inspect/schema.ts";
import { problemsOf } from "../support/json-schema.ts";
import { compilerErrors } from "../support/type-check.ts";

/**
 * If a template renders data without findings, the data is valid according to the template's schema. The sample of a
 * template is always such data. Values that no tag reads, because of a condition or an empty list, are excluded.
 */

async function compiled(text: string): Promise<Template> {
  return compileTemplate(docx({ body: p(text) }));
}

const PICTURE =
  "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAABAAAAAQCAAAAAA6mKC9AAAAD0lEQVR42mM4gAYYRrYAAAcKwAHNZWX7AAAAAElFTkSuQmCC";

const SCALARS: readonly unknown[] = [
  ...["abc", "", "12.5", " 5 ", ".5", "1e3", "x", "2026-01-02", "2026-01-02T10:00", "5550123"],
  ...["https://example.com/a", "<b>x</b>", 5, 0, -1.5, 2026, true, false],
];

const VALUES: readonly unknown[] = [
  ...SCALARS,
  ...SCALARS.map((value) => [value]),
  ...[null, [], {}, [1, null], ["a", 2, true], [[1, 2]], { x: 1 }, { x: "a" }, { x: [1, 2] }],
  ...[
    [{ x: 1 }],
    [{ x: [1] }, {}],
    [[{ x: 1 }], { x: 2 }, null],
    { x: { x: 1 } },
    [{ x: { x: 1 } }],
  ],
  ...[
    { x: [{ x: 1 }] },
    [{ x: [{ x: "a" }] }],
    [{ x: [{ x: 1 }] }, { x: { x: 3 } }],
    { 0: 1, 1: 2 },
  ],
  ...[{ 0: { x: 1 } }, [{ x: "a" }, { x: 2 }], [{ x: null }]],
];

const TAGS = [
  ...["{{a}}", "{{a :: uppercase}}", "{{a :: text}}", "{{a :: html}}", "{{a :: markdown}}"],
  ...['{{a :: format("dd-mm-yyyy")}}', '{{a :: format("yyyy HH:mm")}}', "{{a :: number}}"],
  ...['{{a :: currency("EUR")}}', '{{a :: format("xxx-xxxx")}}', "{{a :: qrcode}}"],
  ...[
    "{{a :: number(2), qrcode}}",
    '{{a :: format("dd-mm-yyyy"), qrcode}}',
    "{{a :: html, qrcode}}",
  ],
  ...['{{a :: width("2cm")}}', "{{a :: link}}", "{{a :: checkbox}}", '{{a :: delimiter("; ")}}'],
  ...["{{a :: truncate(2)}}", "{{a * 2}}", "{{1 / a}}", "{{-a}}", "{{$round(1.234, a)}}"],
  ...["{{$round(a)}}", "{{$abs(a)}}", "{{$sum(a)}}", "{{$average(a)}}", "{{$count(a)}}"],
  ...["{{$length(a)}}", "{{$join(a)}}", "{{$join(l, a)}}", '{{$join(l, ", ", a)}}'],
  ...['{{if a == "x"}}{{endif}}', "{{if a == 5}}{{endif}}", "{{if a != b}}{{endif}}"],
  ...["{{if a > 5}}{{endif}}", '{{if a > "b"}}{{endif}}', '{{if a > "2020"}}{{endif}}'],
  ...['{{if a < "2026-01-01"}}{{endif}}', "{{if a == 5}}{{endif}}", "{{if a == true}}{{endif}}"],
  ...["{{if a < b}}{{endif}}", "{{if a < t}}{{endif}}", '{{if a contains "x"}}{{endif}}'],
  ...["{{if t contains a}}{{endif}}", "{{if l contains a}}{{endif}}", "{{if a}}{{endif}}"],
  ...[
    "{{if a isEmpty}}{{endif}}",
    "{{if a isPresent}}{{endif}}",
    "{{a :: optional}}",
    '{{a :: default("x")}}',
  ],
  ...["{{if a}}{{a}}{{endif}}", "{{if a}}{{a * 2}}{{endif}}", "{{if a}}{{a.x}}{{endif}}"],
  ...[
    "{{if a}}{{for i in a}}{{i.x}}{{endfor}}{{endif}}",
    "{{if a isEmpty}}{{else}}{{a.x}}{{endif}}",
  ],
  ...[
    "{{for i in a}}{{endfor}}",
    "{{for i in a}}{{i}}{{endfor}}",
    "{{for i in a}}{{i.x}}{{endfor}}",
  ],
  ...["{{for i in a}}{{i * 2}}{{endfor}}", "{{for i in a}}{{for j in i}}{{j}}{{endfor}}{{endfor}}"],
  ...[
    "{{for i in a}}{{for j in i.x}}{{j}}{{endfor}}{{endfor}}",
    "{{for i in a :: optional}}{{endfor}}",
  ],
  ...["{{for i in a}}{{i.x :: optional}}{{endfor}}", "{{for i in a.x}}{{i}}{{endfor}}"],
  ...["{{for i in a.x}}{{i.x}}{{endfor}}", "{{for i in a}}{{i.x}}{{endfor}}{{$sum(a.x)}}"],
  ...[
    "{{#a}}{{/a}}",
    "{{#a}}{{.}}{{/a}}",
    "{{#a}}{{x}}{{/a}}",
    "{{#a}}{{t}}{{/a}}",
    "{{^a}}{{/a}}",
  ],
  ...["{{#a}}{{x * 2}}{{x}}{{/a}}", "{{#a}}{{#x}}{{x}}{{/x}}{{/a}}", "{{#a}}{{$number}}{{/a}}"],
  ...["{{#a}}{{.x}}{{/a}}", "{{#a.x}}{{x}}{{/a.x}}", "{{a.x}}{{#a}}{{x}}{{/a}}"],
  ...[
    "{{a.x}}",
    "{{a.x.x}}",
    "{{a.x * 2}}",
    "{{a.x :: number}}",
    "{{a[0]}}",
    "{{a[0].x}}",
    "{{a.0}}",
  ],
  ...["{{a[0]}}{{a[1] * 2}}", "{{a.x :: optional}}", "{{$sum(a.x)}}", "{{$sum(a.x.x)}}"],
  ...["{{$join(a.x)}}", "{{$count(a.x)}}", "{{$count(a.x)}}{{$sum(a.x.x)}}{{$length(a)}}"],
  ...[
    "{{$join(a.x)}}{{for i in a.x}}{{i}}{{endfor}}",
    "{{if a.x}}{{endif}}",
    "{{if a.x > 0}}{{endif}}",
  ],
  ...["{{$length(a)}}{{a.x}}", "{{a}}{{for i in a}}{{i}}{{endfor}}", "{{$join(a)}}{{$sum(a)}}"],
];

const AROUND = { b: 5, t: "text x", l: [1, 2] };

/** Whether a finding is about the data. The loops of these templates print words without separators. */
function isAboutData({ code }: Diagnostic): boolean {
  return code !== "joined_in_paragraph";
}

/** Returns the findings of a template about `a`. Adds other data that some tags need. */
function findings(template: Template, data: Readonly<Record<string, unknown>>): string[] {
  const found = template.check({ ...data, ...AROUND }).filter(isAboutData);
  return found.filter(({ pointer }) => !/^\/[btl]$/.test(pointer ?? "")).map(({ code }) => code);
}

function holdsFor(template: Template, text: string): void {
  const schema = template.schema();
  for (const data of [{}, ...VALUES.map((a) => ({ a }))]) {
    if (findings(template, data).length > 0) continue;
    expect(problemsOf({ ...data, ...AROUND }, schema), text + JSON.stringify(data)).toEqual([]);
  }
}

describe("data that renders without findings is valid by the schema", () => {
  test.each(TAGS)("of %s", async (text) => {
    holdsFor(await compiled(text), text);
  });

  test.each([
    "{{a}}",
    '{{a :: width("2cm")}}',
    "{{a :: optional}}",
    "{{if a}}{{a}}{{endif}}",
    "{{for i in l}}{{a}}{{endfor}}",
  ])("of %s, also pictures", async (text) => {
    const schema = (await compiled(text)).schema();
    for (const a of [
      PICTURE,
      [PICTURE],
      { type: "file", id: "a.png" },
      [{ type: "url", url: "u" }],
    ]) {
      expect(problemsOf({ a, ...AROUND }, schema), JSON.stringify(a)).toEqual([]);
    }
  });

  test("of any two of these tags", async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...TAGS), fc.constantFrom(...TAGS), async (one, other) => {
        holdsFor(await compiled(one + other), one + other);
      }),
      { numRuns: manyRuns(20, 500) },
    );
  });
});

describe("the types", () => {
  test("accept the same data, except a list in place of an object", async () => {
    const written: string[] = [];
    for (const [index, text] of TAGS.entries()) {
      const template = await compiled(text);
      written.push(template.types(`T${index}`));
      for (const [at, a] of VALUES.entries()) {
        if (at % 3 !== index % 3 || findings(template, { a }).length > 0) continue;
        if (hasListForObject(template.schema(), { a })) continue;
        const name = `t${index}_${at}`;
        written.push(`const ${name} = ${JSON.stringify({ a, ...AROUND })} as const;`);
        written.push(`export const ${name}_: T${index} = ${name};`);
      }
    }
    expect(compilerErrors([written.join("\n")])).toBe("");
  });
});

/** Whether the value is, or contains, a list where a schema also accepts an object. */
function hasListForObject(schema: JsonSchema, value: unknown): boolean {
  const { type, anyOf = [], items, properties = {} } = schema;
  if (Array.isArray(value) && Array.isArray(type) && type.includes("object")) return true;
  if (anyOf.some((each) => hasListForObject(each, value))) return true;
  if (Array.isArray(value)) {
    return items !== undefined && value.some((each) => hasListForObject(items, each));
  }
  if (typeof value !== "object" || value === null) return false;
  const values = new Map(Object.entries(value));
  return Object.entries(properties).some(([key, each]) => hasListForObject(each, values.get(key)));
}

describe("the sample", () => {
  test.each(TAGS)("of %s renders without findings and is valid", async (text) => {
    const template = await compiled(text);
    const data = template.sample();
    expect(problemsOf(data, template.schema())).toEqual([]);
    expect(template.check(data).filter(isAboutData)).toEqual([]);
  });
});
