import { describe, expect, test } from "vitest";
import { refusal } from "../../contracts/test/support/refusal.ts";
import { docx, p } from "../../ooxml/test/support/docx.ts";
import { everyField } from "../../pdf/test/support/pdf.ts";
import {
  compilePdfForm,
  compileTemplate,
  memoryStorage,
  QuireError,
  type Storage,
} from "../src/index.ts";
import { makeEngine, place, template, withCreate } from "./support/engine.ts";

const letter = { type: "file", id: "letter.docx" } as const;
const at = (id: string) => ({ type: "file", id }) as const;

/** Returns a storage whose `read` rejects. */
function failing(error: QuireError): Storage {
  const inner = place();
  return {
    ...withCreate(inner, inner.create.bind(inner)),
    read: () => Promise.reject(error),
  };
}

describe("inspecting a template", () => {
  test("returns its version, its tags and the schema of its data", async () => {
    const storage = place();
    await using engine = makeEngine({ storage });
    const compiled = await compileTemplate(template);
    expect(await engine.inspectTemplate(letter)).toEqual({
      file: await storage.stat(letter),
      tags: compiled.tags,
      schema: compiled.schema(),
      errors: [],
      warnings: [],
    });
  });

  test("returns the same for the fields of a PDF form", async () => {
    const bytes = await everyField();
    await using engine = makeEngine({ storage: memoryStorage({ files: { "form.pdf": bytes } }) });
    const form = await compilePdfForm(bytes);
    const inspected = await engine.inspectTemplate(at("form.pdf"));
    expect(inspected.tags).toEqual(form.tags);
    expect(inspected.schema).toEqual(form.schema());
    expect(inspected.warnings).toEqual(form.warnings);
  });

  test("follows includes and uses the delimiters", async () => {
    const files = {
      "outer.docx": docx({ body: p('{{include "inner.docx"}}') }),
      "inner.docx": template,
      "single.docx": docx({ body: p("Dear {name}") }),
    };
    await using engine = makeEngine({ storage: memoryStorage({ files }) });
    const tagsOf = async (...given: Parameters<typeof engine.inspectTemplate>) =>
      (await engine.inspectTemplate(...given)).tags.map(({ tag_content }) => tag_content);
    expect(await tagsOf(at("outer.docx"))).toContain("{{name}}");
    expect(await tagsOf(at("single.docx"))).toEqual([]);
    expect(await tagsOf(at("single.docx"), { delimiters: "auto" })).toEqual(["{name}"]);
    const wrong = { delimiters: { start: "a", end: "b" } };
    const refused = await refusal(engine.inspectTemplate(at("single.docx"), wrong));
    expect(refused.code).toBe("invalid_request");
  });

  test("reads the requested version", async () => {
    const storage = place();
    await using engine = makeEngine({ storage });
    const version = (await storage.stat(letter))?.version ?? "";
    expect((await engine.inspectTemplate(letter, { version })).file.version).toBe(version);
    const other = engine.inspectTemplate(letter, { version: "0" });
    expect((await refusal(other)).code).toBe("not_found");
  });

  test("rejects for failures that are not about the template", async () => {
    const lost = new QuireError("storage_failed", "The disk is gone.", { retryable: true });
    await using broken = makeEngine({ storage: failing(lost) });
    await expect(broken.inspectTemplate(letter)).rejects.toBe(lost);

    const engine = makeEngine({ storage: place() });
    expect((await refusal(engine.inspectTemplate(at("no.docx")))).code).toBe("not_found");
    const signal = AbortSignal.abort();
    expect((await refusal(engine.inspectTemplate(letter, { signal }))).code).toBe("aborted");
    await engine.close();
    expect((await refusal(engine.inspectTemplate(letter))).code).toBe("unavailable");
  });
});
