/** Word stores its own styles under English names, and makes their ids of the names in its language. */
import { describe, expect, test } from "vitest";
import { p, type TestDocument } from "../../../ooxml/test/support/docx.ts";
import { outcome } from "../support/language.ts";

function style(id: string, name: string, type = "paragraph"): string {
  return `<w:style w:type="${type}" w:styleId="${id}"><w:name w:val="${name}"/></w:style>`;
}

const ENGLISH =
  style("Heading1", "heading 1") +
  style("Quote", "Quote") +
  style("Warning", "Warning") +
  style("Strong", "Strong", "character") +
  style("Note", "Note", "character");
const GERMAN =
  style("berschrift1", "heading 1") +
  style("Listenabsatz", "List Paragraph") +
  style("Fett", "Strong", "character");

function template(text: string, styles: string): TestDocument {
  return { body: p(text), stories: { "styles.xml": styles } };
}

async function hint(text: string, styles: string, data: object = {}): Promise<string> {
  const { warnings } = await outcome(template(text, styles), { title: "T", ...data });
  const found = warnings.find(({ code }) => code === "invalid_value");
  return found?.hint ?? "";
}

describe("the name of a style leads to the style", () => {
  test.each([
    ['{{paragraph :: style("Überschrift 1")}}', ENGLISH, 'style("Heading 1")'],
    ['{{paragraph :: style("Titre 1")}}', ENGLISH, 'style("Heading 1")'],
    ['{{paragraph :: style("Zitat")}}', ENGLISH, 'style("Quote")'],
    ['{{title :: style("Fett")}}', ENGLISH, 'style("Strong")'],
    ['{{paragraph :: style("Überschrift 1")}}', GERMAN, 'style("Heading 1")'],
    ['{{paragraph :: style("Listenabsatz")}}', GERMAN, 'style("List Paragraph")'],
    ['{{title :: style("Fett")}}', GERMAN, 'style("Strong")'],
  ])("%s", async (text, styles, meant) => {
    expect(await hint(text, styles)).toContain(meant);
    const { error } = await outcome(template(text.replace(/style\(.*\)/, meant), styles), {
      title: "T",
    });
    expect(error).toBeNull();
  });

  test.each([
    ['{{title :: style("Warning")}}', 'write {{paragraph :: style("Warning")}} into the paragraph'],
    ['{{title :: style("Zitat")}}', 'write {{paragraph :: style("Quote")}}'],
    ['{{paragraph :: style("Note")}}', '{{name :: style("Note")}}'],
    ['{{paragraph :: style("Warnng")}}', "Did you mean 'Warning'?"],
    ['{{paragraph :: style("Überschrift 2")}}', "Create the style in the template"],
  ])("%s", async (text, told) => {
    expect(await hint(text, ENGLISH)).toContain(told);
  });

  test("also for a name from the data", async () => {
    expect(await hint("{{paragraph :: style(s)}}", ENGLISH, { s: "Zitat" })).toContain(
      'style("Quote")',
    );
  });
});
