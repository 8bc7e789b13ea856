import type { Diagnostic } from "@quire/contracts";
import { describe, expect, test } from "vitest";
import { p } from "../../../ooxml/test/support/docx.ts";
import { DELIMITERS } from "../../src/language/delimiters/delimiters.ts";
import { parseDirective } from "../../src/language/directive.ts";
import { checkProjections } from "../../src/template/mistakes/projections.ts";
import type { TagNode } from "../../src/template/nodes/nodes.ts";
import { outcome, printed } from "../support/language.ts";

type Data = Readonly<Record<string, unknown>>;

const data: Data = {
  customer: { name: "Anna", vip: true, first_name: "Anna", "last-name": "Muster" },
  items: [
    { name: "Pen", qty: 2, price: 1.5, "unit-price": 3, sizes: [1, 2] },
    { name: "Ink", qty: 1, price: 9, "unit-price": 9, sizes: [3] },
  ],
  status: "paid",
  note: "hello",
  amount: 12.5,
  country: "FR",
  "first-name": "Bob",
  address1: "x",
};

/** Returns the diagnostics of a paragraph with this text, except for unused keys. */
async function told(text: string, given = data): Promise<readonly Diagnostic[]> {
  const { warnings } = await outcome(p(text), given);
  return warnings.filter(({ code }) => code !== "unused_value");
}

async function hints(text: string, given = data): Promise<(string | undefined)[]> {
  return (await told(text, given)).map(({ hint }) => hint);
}

describe("a condition with a constant that is not compared with anything", () => {
  test.each([
    ['country == "CH" or "DE"', 'Write country == "CH" or country == "DE".'],
    ['country == "CH" || "DE" || "AT"', 'or country == "DE" or country == "AT".'],
    ['country == ("CH" or "DE")', 'Write country == "CH" or country == "DE".'],
    ['country != "CH" or "DE"', 'Write country != "CH" and country != "DE".'],
    ['note and (country == "CH" or "DE")', 'Write country == "CH" or country == "DE".'],
    ["amount > 5 and 10", "Write amount > 5 and amount > 10."],
    ['note contains "a" or "b"', 'Write note contains "a" or note contains "b".'],
    ['$count(items) > 1 or "DE"', "Compare it"],
    ['"open"', "Compare it"],
    ['not "open"', "Compare it"],
    ['note or "open"', "Compare it"],
    ["1", "Compare it"],
    ["(0)", "Compare it"],
  ])("is an error: %s", async (condition, hint) => {
    for (const text of [
      `{{if ${condition}}}a{{endif}}`,
      `{{if note}}a{{elseif ${condition}}}b{{endif}}`,
      `{{#${condition}}}a{{/}}`,
    ]) {
      const [found, ...more] = await told(text);
      expect(found?.code, text).toBe("tag_syntax");
      expect(found?.hint, text).toContain(hint);
      expect(more, text).toEqual([]);
    }
  });

  test("is reported with the result that it always has", async () => {
    const message = async (text: string) => (await told(text))[0]?.message;
    expect(await message('{{if country == "CH" or "DE"}}{{endif}}')).toBe(
      'The text "DE" is not compared with anything, so it is always true.',
    );
    expect(await message('{{if ""}}{{endif}}')).toContain("always false");
    expect(await message("{{if 0.0}}{{endif}}")).toContain("number 0.0 is");
  });

  test.each([
    "{{if true}}a{{endif}}",
    "{{if not false}}a{{endif}}",
    '{{if "a" == "a"}}a{{endif}}',
    "{{if 1 + 1 == 2 and (note or status)}}a{{endif}}",
    '{{(gone or "a")}}',
    '{{("a")}}',
  ])("is not reported for %s", async (text) => {
    expect((await told(text)).filter(({ code }) => code === "tag_syntax")).toEqual([]);
  });
});

describe("a condition with a misspelled name", () => {
  test.each([
    ["{{if customer.vpi}}a{{endif}}", "Did you mean 'customer.vip'?"],
    ["{{if customer.Vip}}a{{endif}}", "Did you mean 'customer.vip'?"],
    ["{{if Customer.Vip}}a{{endif}}", "Did you mean 'customer.vip'?"],
    ["{{if not custmoer.vip}}a{{endif}}", "Did you mean 'customer.vip'?"],
    ["{{if note and customer.VIP}}a{{endif}}", "Did you mean 'customer.vip'?"],
    ["{{if customer.vpi isPresent}}a{{endif}}", "Did you mean 'customer.vip'?"],
    ["{{if $count(Items) > 0}}a{{endif}}", "Did you mean 'items'?"],
    ["{{^Items}}a{{/Items}}", "Did you mean 'items'?"],
    ["{{#Items}}a{{/Items}}", "Did you mean 'items'?"],
    ["{{#itms}}a{{/itms}}", "Did you mean 'items'?"],
    ["{{for i in items}}{{if i.Qty}}a{{endif}}{{endfor}}", "Did you mean 'i.qty'?"],
    ["{{if note.isPresent}}a{{endif}}", "Did you mean 'note isPresent'?"],
    ["{{if note.IsPresent}}a{{endif}}", "Did you mean 'note isPresent'?"],
    ["{{if customer.vip.isempty}}a{{endif}}", "Did you mean 'customer.vip isEmpty'?"],
    ["{{if first-name}}a{{endif}}", 'brackets and quotes: {{this["first-name"]}}'],
  ])("is reported: %s", async (text, hint) => {
    const [found] = await told(text);
    expect(found?.severity).toBe("warning");
    expect(found?.code).toMatch(/^missing_(?:in_condition|section)$/);
    expect(found?.hint).toContain(hint);
  });

  test.each([
    "{{if address2}}a{{endif}}",
    "{{if customer.title}}a{{endif}}",
    "{{if customer.nam}}a{{endif}}",
    "{{if gone.deeper.still}}a{{endif}}",
    "{{if note.text}}a{{endif}}",
    "{{if not gone and gone2 isEmpty}}a{{endif}}",
    "{{if gone == null}}a{{endif}}",
    "{{for i in items}}{{if i.title}}a{{endif}}{{endfor}}",
    "{{^gone}}a{{/gone}}",
  ])("is not reported for a value that may be missing: %s", async (text) => {
    expect(await told(text)).toEqual([]);
  });

  test("is not reported for null", async () => {
    expect(
      await told("{{if vip}}{{endif}}{{if o.vpi}}{{endif}}", {
        vip: null,
        Vip: 1,
        o: { vpi: null, vip: 1 },
      }),
    ).toEqual([]);
  });

  test("is searched for in 200 iterations, and reported once", async () => {
    const l = Array.from({ length: 1000 }, () => ({ vip: 1 }));
    const found = await told("{{for x in l}}{{if x.vpi}}{{endif}}{{endfor}}", { l });
    expect(found).toEqual([expect.objectContaining({ count: 200 })]);
  });
});

describe("a string without quotes in a condition", () => {
  test.each([
    ["status == paid", 'Put the text in quotes: "paid".'],
    ["note contains h", 'Put the text in quotes: "h".'],
    ["status == notes", "Did you mean 'note'? Put the text in quotes: \"notes\"."],
    ["customer.vip == True", "Did you mean 'true'?"],
    ["customer.vip == FALSE", "Did you mean 'false'?"],
  ])("in %s is reported with its quotes", async (condition, hint) => {
    expect(await hints(`{{if ${condition}}}a{{endif}}`)).toEqual([hint]);
  });

  test("is not reported for the first word, or for a word with a key", async () => {
    expect(await hints('{{if state_of_it == "paid"}}a{{endif}}')).toEqual([undefined]);
    expect(await hints("{{if note == customer.anything_else}}a{{endif}}")).toEqual([undefined]);
  });
});

describe("a mistake in a condition has a hint with the correct form:", () => {
  test.each([
    ["customer.vip AND note", "{{if customer.vip and note}}"],
    ["customer.vip Or note", "'or'"],
    ["customer.vip adn note", "'and'"],
    ["NOT note", "'not'"],
    ["Not note", "'not'"],
    ["note not isEmpty", "not path isEmpty"],
    ["note ispresent", "'isPresent'"],
    ["note IsPresent", "'isPresent'"],
    ["note isPresnt", "'isPresent'"],
    ["note is present", "{{if note isPresent}}"],
    ["note is empty", "{{if note isEmpty}}"],
    ["isPresent note", "note isPresent"],
    ["isPresent(customer.name)", "customer.name isPresent"],
    ["note Contains 'h'", "'contains'"],
    ["note contain 'h'", "'contains'"],
    ["note includes 'h'", "'contains'"],
    ["status is 'paid'", "{{if status == 'paid'}}"],
    ["status equals 'paid'", "'=='"],
    ["status = 'paid'", "'=='"],
    ["status === 'paid'", "'=='"],
    ["status !== 'paid'", "'!='"],
    ["amount <> 5", "'!='"],
    ["amount ≠ 5", "'!='"],
    ["amount => 5", "{{if amount >= 5}}"],
    ["amount ≥ 5", "'>='"],
    ["amount =< 5", "'<='"],
    ["amount ≤ 5", "'<='"],
    ["note & status", "{{if note and status}}"],
    ["note | status", "'or'"],
    ["1 < amount < 20", "1 < amount and amount < 20"],
    ["amount > 1,000", "no other separators"],
    ["amount > 1.000.000", "no other separators"],
    ["amount > 1'000", "without separators"],
    ["country == 'CH', 'DE'", 'country == "CH" or country == "DE"'],
    ["note:", "Leave it out"],
    ["count(items) > 1", "items.count() > 1"],
    ["note :: optional", "tags that print a value"],
    ["note)", "No '(' is open"],
  ])("%s", async (condition, hint) => {
    const [found] = await told(`{{if ${condition}}}a{{endif}}`);
    expect(found?.code).toBe("tag_syntax");
    expect(found?.hint).toContain(hint);
  });

  test("an unknown word may be part of a key", async () => {
    expect(await hints("{{if customer note}}a{{endif}}")).toEqual([
      "A key like 'customer note' belongs in brackets and quotes: this[\"customer note\"].",
    ]);
  });
});

describe("a mistake in a tag has a hint with the correct form:", () => {
  test.each([
    ["{{note : uppercase}}", "{{note :: uppercase}}"],
    ["{{note ::: uppercase}}", "{{name :: uppercase}}"],
    ["{{note ; uppercase}}", "','"],
    ["{{note :: uppercase trim}}", "Separate modifiers with ','"],
    ['{{gone :: default="x"}}', 'default("…")'],
    ["{{gone :: default “x”}}", "default(“x”)"],
    ["{{note :: width(4cm)}}", '"4cm"'],
    ["{{sum(items.price)}}", "{{items.sum(price)}}"],
    ["{{Sum(items.price)}}", "{{items.sum(price)}}"],
    ["{{$avg(items.price)}}", "{{items.average(price)}}"],
    ["{{$sum items.price}}", "{{items.sum(price)}}"],
    ["{{uppercase(customer.name)}}", "{{customer.name :: uppercase}}"],
    ['{{format(customer.name, "dd.mm.yyyy")}}', "{{customer.name :: format("],
    ["{{items(0).name}}", "items[0]"],
    ["{{customer->name}}", "'.'"],
    ["{{amount × 2}}", "{{amount * 2}}"],
    ["{{amount ^ 2}}", "{{amount * amount}}"],
    ["{{customer's name}}", 'this["customer\'s name"]'],
    ["{{cus\u00admer}}", "type it again"],
    ["{{note…}}", "dots"],
    ["{{first—name}}", "brackets"],
    ["{{note?}}", "optional"],
    ["{{[note]}}", "For the key 'note' write note without brackets."],
    [
      "{{[0]}}",
      'with quotes, as in ["first name"]. Write an index after the name of its list, as in items[0].',
    ],
    ['{{["first-name"}}', "Add ']' after \"first-name\"."],
    ["{{customer.name}, total {total}}", "A brace is missing: write {{customer.name}}."],
    ["{{customer. name }, total}}", "A brace is missing: write {{customer. name}}."],
    ["{{if note} a {endif}}", "A brace is missing: write {{if note}}."],
    ["{{a b}, total}}", "Each tag ends with '}}'"],
    ["{{customer{name}}", "Each tag ends with '}}'"],
  ])("%s", async (tag, hint) => {
    const [found] = await told(tag);
    expect(found?.code).toBe("tag_syntax");
    expect(found?.hint).toContain(hint);
  });

  test.each([
    ["{{items[-1]}}", "Write {{items.last()}}."],
    ["{{items[true]}}", "Write the condition out, as in items[paid == true]."],
    ["{{items[]}}", 'Write items[0], items["key"] or items[key == "value"].'],
    ["{{items[amount}}", "Add ']' where it should end."],
  ])("%s has a hint about what brackets contain", async (tag, hint) => {
    const [found] = await told(tag);
    expect(found?.code).toBe("tag_syntax");
    expect(found?.hint).toBe(hint);
  });

  test.each([
    ['{{amount :: money("EUR")}}', "Did you mean 'currency', as in currency(\"EUR\")?"],
    ["{{amount :: Money}}", "'currency'"],
    ['{{amount :: formatC("EUR")}}', "'currency'"],
    ['{{note :: formatDate("dd.MM.yyyy")}}', "'format'"],
    ['{{note :: date("dd.MM.yyyy")}}', "'format'"],
    ['{{note :: formatD("dd.MM.yyyy")}}', "'format'"],
    ["{{amount :: formatNumber}}", "'number'"],
    ["{{amount :: toFixed(2)}}", "'number'"],
    ["{{note :: upper}}", "Did you mean 'uppercase'?"],
    ["{{note :: title}}", "Write {{note :: titleCase()}}."],
    ["{{note :: image}}", "'width'"],
    ["{{note :: sparkle}}", "lists all modifiers"],
    ["{{note :: constructor}}", "lists all modifiers"],
  ])("%s has a hint with the modifier for it", async (tag, hint) => {
    const [found] = await told(tag);
    expect(found?.code).toBe("tag_syntax");
    expect(found?.hint).toContain(hint);
  });

  test.each([
    ["{{items.filter(paid)}}", "Did you mean 'where', as in items.where(paid)?"],
    ["{{items.groupBy(city)}}", "Did you mean 'group', as in items.group(city)?"],
    ["{{items.avg(price)}}", "Did you mean 'average', as in items.average(price)?"],
    ["{{items :: sort_by(price)}}", "Did you mean the function 'sort', as in value.sort("],
    ["{{items :: aggSum}}", "Did you mean the function 'sum'"],
    ["{{note :: addD(3)}}", "Did you mean the function 'addDays'"],
    ["{{$groupBy(items, city)}}", "Write {{items.group(city)}}."],
    ["{{$startswith(note, 1)}}", "Write {{note.startsWith(1)}}."],
    ["{{for i in items where i.paid}}x{{endfor}}", "Write {{for i in items.where(i.paid)}}."],
    ["{{for i in items sort by price}}x{{endfor}}", "Write {{for i in items.sort(price)}}."],
    ["{{for i in items limit 3}}x{{endfor}}", "Write {{for i in items.limit(3)}}."],
    ['{{items.sort(price "desc")}}', "Write {{items.sort(price desc)}}."],
    ["{{items.where()}}", "Write items.where(paid == false)."],
    ["{{items :: uppercase, sort}}", "Write functions first"],
  ])("%s has a hint with the function for it", async (tag, hint) => {
    const [found] = await told(tag);
    expect(found?.code).toBe("tag_syntax");
    expect(found?.hint).toContain(hint);
  });

  test.each(["customer.terms", '$concat("terms_", country)', '"terms_{{country}}.docx"'])(
    "{{include %s}} leads to a choice by the data",
    async (name) => {
      const [found] = await told(`{{include ${name}}}`);
      expect(found?.hint).toBe(
        'The names of the templates are fixed text. To choose by the data, list them: {{include file in ["a.docx", "b.docx"]}}. Or write {{if country == "CH"}}, {{include "terms_CH.docx"}} and {{endif}}, each in its own paragraph.',
      );
    },
  );

  test.each(["file", "the file"])(
    "{{include %s}} explains that the name is fixed",
    async (name) => {
      const [found] = await told(`{{include ${name}}}`);
      expect(found?.hint).toBe(
        `To include the template of that name, write {{include "${name}"}}: the name is fixed text. To choose a template by the data, list the names: {{include file in ["a.docx", "b.docx"]}}.`,
      );
    },
  );

  test("{{include terms.docx}} is reported as a name without quotes", async () => {
    expect(await hints("{{include terms.docx}}")).toEqual(['Write {{include "terms.docx"}}.']);
  });

  test.each(["$sum(i.p * i.q)", "$average(items.price - total)", "$max(-items.price)"])(
    "%s is reported without data, because a computation is not a list",
    async (call) => {
      const [found] = await told(`{{${call}}}`);
      const name = call.slice(0, call.indexOf("("));
      expect(found).toMatchObject({
        code: "tag_syntax",
        message: `${name} takes a list, but a computation gives a single number.`,
        hint: `Name the list first, and then compute with the keys of its items: ${name}(items, quantity * price).`,
      });
    },
  );

  test("a computation may be rounded", async () => {
    expect(await printed("{{$round(amount * 3, 1)}} {{$abs(1 - amount)}}", data)).toBe("37.5 11.5");
  });

  test.each([
    ["{{if (note}}a{{endif}}", "The '(' before 'note' is not closed."],
    ["{{amount * (1 + 2}}", "The '(' before '1' is not closed."],
    ["{{$sum(items.price}}", "The '(' before 'items' is not closed."],
    ['{{gone :: default("x"}}', "The '(' before '\"x\"' is not closed."],
    ["{{if status == “paid}}a{{endif}}", "The quote at the beginning of “paid is not closed."],
    [
      "{{gone :: default('some longer words that go on)}}",
      "The quote at the beginning of 'some longer words t… is not closed.",
    ],
  ])("%s reports where the quote was opened", async (text, message) => {
    expect((await told(text))[0]?.message).toBe(message);
  });
});

describe("a missing value has a hint with the correct path:", () => {
  test.each([
    ["{{Customer.Name}}", "'customer.name'"],
    ["{{custmer.nmae}}", "'customer.name'"],
    ["{{customer.Name}}", "'customer.name'"],
    ["{{customer.lastname}}", `'customer["last-name"]'`],
    ["{{frist_name}}", `'this["first-name"]'`],
    ["{{customer.last-name}}", '{{customer["last-name"]}}'],
    ["{{first-name}}", '{{this["first-name"]}}'],
    ["{{first – name}}", '{{this["first-name"]}}'],
    ["{{for item in items}}{{item.unit-price}}{{endfor}}", '{{item["unit-price"]}}'],
    ["{{for item in items}}{{name}}{{endfor}}", "'item.name'"],
    ["{{for item in items}}{{Name}}{{endfor}}", "'item.name'"],
    ["{{for item in items}}{{Item.Name}}{{endfor}}", "'item.name'"],
    ["{{for i in items}}{{itms.name}}{{endfor}}", "Did you mean 'i.name'?"],
    ["{{for i in items}}{{item.nmae}}{{endfor}}", "Did you mean 'i.name'?"],
    ['{{for i in items}}{{item["unit-price"]}}{{endfor}}', `Did you mean 'i["unit-price"]'?`],
    ["{{for i in items}}{{for s in i.sizes}}{{item.name}}{{endfor}}{{endfor}}", "'i.name'"],
    ["{{for i in items}}{{for s in i.sizes}}{{i.size}}{{endfor}}{{endfor}}", "mean 's'?"],
    ["{{#items}}{{item.name}}{{/items}}", "Did you mean 'name'?"],
    ["{{#items}}{{itms.nmae}}{{/items}}", "Did you mean 'name'?"],
    ["{{for i in items}}{{itms[0].name}}{{endfor}}", "Did you mean 'items[0].name'?"],
    ["{{for item in items}}{{$Index}}{{endfor}}", "'$index'"],
    ["{{for item in items}}{{$indx}}{{endfor}}", "'$index'"],
    ["{{for item in items}}{{index}}{{endfor}}", "'$index'"],
    ["{{$sum}}", "'$sum(path)'"],
    ["{{items.length}}", "'$count(items)'"],
    ["{{note.uppercase}}", "'note :: uppercase'"],
    [
      "{{for item in items}}{{endfor}}{{item.name}}",
      "'item' is known only between {{for item in items}} and its 'endfor': move the tag there.",
    ],
    ["{{for i in itms}}{{endfor}}", "'items'"],
    ["{{for i in gone}}{{endfor}}", "write :: optional in the tag"],
    ["{{gone}}", ':: default("…")'],
  ])("%s", async (text, hint) => {
    const [found] = await told(text);
    expect(found?.code).toBe("missing_value");
    expect(found?.hint).toContain(hint);
  });

  test("that prints the right value", async () => {
    expect(await printed('{{this["first-name"]}} {{customer["last-name"]}}', data)).toBe(
      "Bob Muster",
    );
    expect(await printed('{{for i in items}}{{i["unit-price"]}}{{endfor}}', data)).toBe("39");
  });

  test("and keeps the form of flat data", async () => {
    expect(await hints("{{customer.nmae}}", { "customer.name": 1 })).toEqual([
      "Did you mean 'customer.name'?",
    ]);
  });

  test("and reports a key with a hyphen once", async () => {
    expect(await told("{{first-name}}")).toHaveLength(1);
    expect(await told("{{customer.last-name}}")).toHaveLength(1);
    expect(await told("{{date-of-birth}}", { "date-of-birth": "x" })).toHaveLength(1);
  });

  test("and suggests no key of a string or a number", async () => {
    expect((await hints("{{nte.length2}}{{amont.x.y}}")).join()).not.toContain("Did you mean");
  });

  test.each([
    ["{{frist_name}}", `'["first-name"]'`],
    ["{{first-name}}", '{{["first-name"]}}'],
    ['{{this["first-name"]}}', `'["first-name"]'`],
    ["{{this.note}}", "'note'"],
  ])("in a loop, for a key of the data: %s", async (text, hint) => {
    const [found] = await hints(`{{for item in items}}${text}{{endfor}}`);
    expect(found).toContain(hint);
  });
});

describe("a computation that fails", () => {
  test.each(["{{$sum(items)}}", "{{note + 1}}", "{{amount / 0}}", "{{customer/name}}"])(
    "is reported once: %s",
    async (text) => {
      expect((await told(text)).map(({ code }) => code)).toEqual(["invalid_value"]);
    },
  );

  test("is different from one without a result, which is a missing value", async () => {
    const [found] = await told("{{$max(l)}}", { l: [] });
    expect(found).toMatchObject({
      code: "missing_value",
      message: "The tag {{$max(l)}} gives no value for this data.",
    });
  });
});

describe("a format of another language", () => {
  test.each([
    ["d/m/Y", 'format("dd/MM/yyyy")'],
    ["F j, Y", 'format("MMMM d, yyyy")'],
    ["H:i", 'format("HH:mm")'],
    ["dd/mm/aaaa", 'format("dd/MM/yyyy")'],
    ["gg/mm/aaaa", 'format("dd/MM/yyyy")'],
    ["TT.MM.JJJJ", 'format("dd.MM.yyyy")'],
    ["pp.kk.vvvv", 'format("dd.MM.yyyy")'],
    ["do MMMM yyyy", '{{due.day().ordinal()}} {{due :: format("MMMM yyyy")}}'],
    ["jS F Y", '{{due.day().ordinal()}} {{due :: format("MMMM yyyy")}}'],
    ["d de MMMM de yyyy", "format(\"d 'de' MMMM 'de' yyyy\")"],
    ["d. MMMM yyyy um HH:mm Uhr", "format(\"d. MMMM yyyy 'um' HH:mm 'Uhr'\")"],
    ["HHhmm", "format(\"HH'h'mm\")"],
    ["%d.%m.%Y", 'format("dd.MM.yyyy")'],
    ["%-d. %B %Y", 'format("d. MMMM yyyy")'],
    ["%.2f", "number(2)"],
    ["0.00", 'number("0.00")'],
    ["00000", 'number("00000")'],
    ["(###) ###-####", 'format("(xxx) xxx-xxxx")'],
  ])("has a hint with the format of this one: %s", async (pattern, hint) => {
    const [found, ...others] = await told(`{{due :: format("${pattern}")}}`);
    expect(others).toEqual([]);
    expect(found?.code).toBe("modifier_argument");
    expect(found?.hint).toContain(hint);
  });

  test.each(["dd mon yyyy", "0,00", "Q yyyy", "%q", "%s"])(
    "has no hint that only guesses: %s",
    async (pattern) => {
      const [found] = await told(`{{due :: format("${pattern}")}}`);
      expect(found?.hint).toBeUndefined();
    },
  );
});

describe("a number pattern with the separators of another language", () => {
  test.each(["0,00", "#,##", "0,0", "#,00", "0,00 €", "#,##0,00", "#,##0.00;(0,00)"])(
    "is a template error: %s",
    async (pattern) => {
      const [found] = await told(`{{amount :: number("${pattern}")}}`);
      expect(found?.code).toBe("modifier_argument");
      expect(found?.message).toContain("the locale decides");
    },
  );

  test.each(["0,000", "#,##0", "#,##0.00", "#,##,##0.00", "0000", "#,###"])(
    "is accepted with valid separators: %s",
    async (pattern) => {
      expect(await told(`{{amount :: number("${pattern}")}}`)).toEqual([]);
    },
  );
});

/** Returns the warnings about the tags of this template. */
function projections(text: string): Diagnostic[] {
  const tags = [...text.matchAll(/\{\{(.*?)\}\}/g)].map(([tag, content = ""]): TagNode => {
    const directive = parseDirective(content, { bareNames: false });
    const at = { place: { part: "word/document.xml", paragraph: 1 }, owner: null, parent: null };
    return { kind: "tag", text: tag, delimiters: DELIMITERS, directive, near: text, ...at };
  });
  return checkProjections(tags);
}

describe("a tag in a loop that refers to all items of its list", () => {
  test.each([
    ["{{for item in items}}{{items.qty}}{{endfor}}", "'item.qty'"],
    ["{{tablerow item in items}}{{items.qty * 2}}{{endtablerow}}", "'item.qty'"],
    ['{{for item in items}}{{items["unit-price"]}}{{endfor}}', `'item["unit-price"]'`],
    ["{{for item in items}}{{if items.qty > 1}}a{{endif}}{{endfor}}", "'item.qty'"],
    ["{{for tag in tags}}{{tags}}{{endfor}}", "'tag'"],
    ["{{for o in orders}}{{for l in o.lines}}{{o.lines.qty}}{{endfor}}{{endfor}}", "'l.qty'"],
    ["{{for o in orders}}{{for l in orders.lines}}{{l.qty}}{{endfor}}{{endfor}}", "'o.lines'"],
    ["{{#order}}{{for item in items}}{{items.qty}}{{endfor}}{{/order}}", "'item.qty'"],
    ["{{for i in items}}{{for j in others}}{{items.qty}}{{endfor}}{{endfor}}", "'i.qty'"],
  ])("gives a warning: %s", (text, hint) => {
    const [found, ...more] = projections(text);
    expect(found).toMatchObject({ severity: "warning", code: "list_in_loop" });
    expect(found?.hint).toContain(hint);
    expect(more).toEqual([]);
  });

  test("names the tag, the list and the loop", () => {
    expect(projections("{{for item in items}}{{items.qty}}{{endfor}}")[0]?.message).toBe(
      "'items.qty' in {{items.qty}} means the values of all items of 'items' at once, in every repetition of {{for item in items}}.",
    );
  });

  test.each([
    "{{for item in items}}{{item.qty}}{{endfor}}",
    "{{for item in items}}{{$sum(items.qty)}}{{$count(items)}}{{endfor}}",
    "{{for item in items}}{{item.qty / $sum(items.qty)}}{{endfor}}",
    '{{for item in items}}{{items.qty :: delimiter("; ")}}{{endfor}}',
    "{{for item in items}}{{items[0].qty}}{{endfor}}",
    "{{for item in items}}{{if items}}a{{endif}}{{endfor}}",
    "{{for item in items}}{{if items.qty contains item.qty}}a{{endif}}{{endfor}}",
    "{{for items in items}}{{items.qty}}{{endfor}}",
    "{{for item in items}}{{#other}}{{items.qty}}{{/other}}{{endfor}}",
    "{{for item in items}}{{itemsOf.qty}}{{endfor}}{{items.qty}}",
    "{{for a in items}}{{for b in items}}{{a.qty}}{{b.qty}}{{endfor}}{{endfor}}",
    "{{#items}}{{items.qty}}{{/items}}",
    "{{for item in order.items}}{{order.total}}{{endfor}}",
  ])("is not reported for %s", (text) => {
    expect(projections(text)).toEqual([]);
  });
});

test("a name of one letter is not suggested for another letter", async () => {
  const single: Data = { n: 1, Q: 2 };
  const add = 'Add it to the data, or write :: optional or :: default("…") in the tag.';
  expect(await hints("{{a}}{{n}}{{Q}}", single)).toEqual([add]);
  expect(await hints("{{q}}{{n}}", single)).toEqual(["Did you mean 'Q'?"]);
});
