/** Tests the common options of `render` and `run`: values, delimiters, files next to the template and the data. */
import { mkdir, readFile, symlink } from "node:fs/promises";
import PizZip from "pizzip";
import { describe, expect, test } from "vitest";
import { makePlace, type Place } from "./support/cli.ts";
import { docx, linesOf } from "./support/docx.ts";

const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

async function templatePlace(...paragraphs: readonly string[]): Promise<Place> {
  const place = await makePlace();
  await place.write("t.docx", docx(paragraphs));
  return place;
}

async function renderWith(place: Place, data: object, ...more: string[]) {
  await place.write("data.json", data);
  return place.quire(["render", "t.docx", "data.json", "-o", "out.docx", ...more]);
}

async function runWith(place: Place, data: object, ...more: string[]) {
  await place.write("data.json", data);
  return place.quire([
    "run",
    "t.docx",
    "--data",
    "data.json",
    "--to",
    "docx",
    "--out",
    "out",
    ...more,
  ]);
}

/** Returns the pictures in a document. */
async function picturesOf(path: string): Promise<Buffer[]> {
  const zip = new PizZip(await readFile(path));
  return zip.file(/^word\/media\//).map((file) => Buffer.from(file.asUint8Array()));
}

describe("--on-missing", () => {
  test("blank prints nothing for a tag, and warns", async () => {
    const place = await templatePlace("Dear {{name}}!");
    const rendered = await renderWith(place, {}, "--on-missing", "blank");
    expect([rendered.code, rendered.stderr]).toEqual([
      0,
      expect.stringMatching(/^warning: .+'name'/),
    ]);
    expect(await linesOf(place.path("out.docx"))).toEqual(["Dear !"]);
    const run = await runWith(place, [{}, {}], "--on-missing", "blank");
    expect([run.code, run.stderr]).toEqual([
      0,
      expect.stringMatching(/^warning: .+\(2 entries: 1, 2\)$/m),
    ]);
    expect(await linesOf(place.path("out", "t-2.docx"))).toEqual(["Dear !"]);
  });

  test("fail makes no document for an entry", async () => {
    const place = await templatePlace("Dear {{name}}!");
    const rendered = await renderWith(place, {}, "--on-missing", "fail");
    expect([rendered.code, rendered.stderr]).toEqual([1, expect.stringContaining("'name'")]);
    expect(await place.names(".")).not.toContain("out.docx");
    const run = await runWith(place, [{}, { name: "Ann" }], "--on-missing", "fail");
    expect([run.code, run.stderr]).toEqual([2, expect.stringMatching(/^entry 1 .+ failed:$/m)]);
    expect(await place.names()).toEqual(["t-2.docx"]);
  });
});

describe("--rich-text", () => {
  test("tagged prints values as typed, and detected reports the tag", async () => {
    const place = await templatePlace("Dear {{name}}!");
    const data = { name: "<b>Ann</b>" };
    const rendered = await renderWith(place, data, "--rich-text", "tagged");
    expect([rendered.code, rendered.stderr]).toEqual([0, ""]);
    expect(await linesOf(place.path("out.docx"))).toEqual(["Dear <b>Ann</b>!"]);
    const check = ["check", "t.docx", "--data", "data.json", "--strict", "--rich-text"];
    expect((await place.quire([...check, "tagged"])).code).toBe(0);
    const detected = await place.quire([...check, "detected"]);
    expect([detected.code, detected.stdout]).toEqual([
      2,
      expect.stringMatching(/^warning: .+\{\{name\}\} is HTML.+$/m),
    ]);
    await runWith(place, [data], "--rich-text", "tagged");
    expect(await linesOf(place.path("out", "t-1.docx"))).toEqual(["Dear <b>Ann</b>!"]);
  });

  test("with another policy is a different run, and with the default the same run", async () => {
    const place = await templatePlace("Dear {{name}}!");
    const data = [{ name: "<b>Ann</b>" }];
    await runWith(place, data);
    const same = await runWith(place, data, "--rich-text", "detected");
    expect([same.code, same.stderr]).toEqual([
      0,
      expect.stringMatching(/^All entries are already done/),
    ]);
    const other = await runWith(place, data, "--rich-text", "tagged");
    expect([other.code, other.stderr]).toEqual([2, expect.stringContaining("t-1.docx")]);
    expect((await runWith(place, data, "--rich-text", "no")).stderr).toMatch(/detected, tagged/);
  });
});

describe("--locale and --time-zone", () => {
  const tags = '{{n :: number("#,##0.00")}} {{at :: format("dd-mm-yyyy HH")}}';
  const data = { n: 1234.5, at: "2024-05-01T23:00:00Z" };

  test("set how numbers and instants print", async () => {
    const place = await templatePlace(tags);
    await renderWith(place, data);
    expect(await linesOf(place.path("out.docx"))).toEqual(["1,234.50 01-05-2024 23"]);
    const flags = ["--locale", "de-DE", "--time-zone", "Europe/Berlin"];
    await renderWith(place, data, ...flags);
    expect(await linesOf(place.path("out.docx"))).toEqual(["1.234,50 02-05-2024 01"]);
    await runWith(place, [data], ...flags, "--name", '{{at :: format("dd-mm")}}');
    expect(await linesOf(place.path("out", "02-05.docx"))).toEqual(["1.234,50 02-05-2024 01"]);
  });

  test("are overridden by the locale and time zone of an entry", async () => {
    const place = await templatePlace(tags);
    const entry = { generated_file_name: "a", user_input: data };
    const { code } = await runWith(
      place,
      [entry, { ...entry, generated_file_name: "b", locale: "de-DE", time_zone: "Europe/Berlin" }],
      "--locale",
      "en-GB",
    );
    expect(code).toBe(0);
    expect(await linesOf(place.path("out", "a.docx"))).toEqual(["1,234.50 01-05-2024 23"]);
    expect(await linesOf(place.path("out", "b.docx"))).toEqual(["1.234,50 02-05-2024 01"]);
  });

  test.for([
    ["--locale", "x y", /locale "x y"/],
    ["--time-zone", "Mars", /time zone "Mars"/],
  ] as const)("reject an invalid %s before the first document", async ([flag, value, message]) => {
    const place = await templatePlace("{{n}}");
    const run = await runWith(place, [{ n: 1 }], flag, value);
    expect([run.code, run.stdout, run.stderr]).toEqual([1, "", expect.stringMatching(message)]);
    expect(await place.names(".")).not.toContain("out");
    expect((await renderWith(place, { n: 1 }, flag, value)).code).toBe(1);
  });
});

describe("--now", () => {
  test("sets the date of $today and $now", async () => {
    const place = await templatePlace("{{$today}} {{$today.addDays(30)}}");
    await renderWith(place, {}, "--now", "2026-11-30");
    expect(await linesOf(place.path("out.docx"))).toEqual(["2026-11-30 2026-12-30"]);
    await runWith(place, [{}], "--now", "2027-01-31T08:00:00Z");
    expect(await linesOf(place.path("out", "t-1.docx"))).toEqual(["2027-01-31 2027-03-02"]);
  });

  test("rejects an invalid date before the first document", async () => {
    const place = await templatePlace("{{n}}");
    const run = await runWith(place, [{ n: 1 }], "--now", "soon");
    expect([run.code, run.stderr]).toEqual([1, expect.stringMatching(/date "soon".+2026-11-20/s)]);
    expect(await place.names(".")).not.toContain("out");
  });
});

test("--delimiters reads templates with other delimiters", async () => {
  const place = await templatePlace("{name} and [[name]]");
  await renderWith(place, { name: "Ann" }, "--delimiters", "[[,]]");
  expect(await linesOf(place.path("out.docx"))).toEqual(["{name} and Ann"]);
  await runWith(place, [{ name: "Ann" }], "--delimiters", "auto");
  expect(await linesOf(place.path("out", "t-1.docx"))).toEqual(["Ann and [[name]]"]);
});

describe("a template that includes others", () => {
  test("finds them in its folder and below, whatever the working directory is", async () => {
    const place = await makePlace();
    await mkdir(place.path("templates", "parts"), { recursive: true });
    const body = ["Before", '{{include "parts/terms.docx"}}', "After"];
    await place.write("templates/t.docx", docx(body));
    await place.write("templates/parts/terms.docx", docx(["Terms for {{name}}"]));
    await place.write("data.json", { name: "Ann" });
    const render = ["render", "templates/t.docx", "data.json", "-o", "out.docx"];
    expect(await place.quire(render)).toMatchObject({ code: 0, stderr: "" });
    const whole = ["Before", "Terms for Ann", "After"];
    expect(await linesOf(place.path("out.docx"))).toEqual(whole);
    const run = ["run", "templates/t.docx", "--data", "data.json", "--to", "docx", "--out", "out"];
    expect((await place.quire(run)).code).toBe(0);
    expect(await linesOf(place.path("out", "t-1.docx"))).toEqual(whole);
  });

  test.for([
    ["../secret.docx", /"\.\.\/secret\.docx" is not a path within the folder "templates"/],
    ["/etc/hostname", /"\/etc\/hostname" is not a path within the folder/],
    ["link.docx", /"link\.docx" is not a path within the folder/],
    ["none.docx", /There is no file "none\.docx" in the folder "templates"/],
  ] as const)("cannot include %s", async ([name, message]) => {
    const place = await makePlace();
    await mkdir(place.path("templates"));
    await place.write("secret.docx", docx(["secret"]));
    await symlink("../secret.docx", place.path("templates", "link.docx"));
    await place.write("templates/t.docx", docx([`{{include "${name}"}}`]));
    const { code, stdout } = await place.quire(["check", "templates/t.docx"]);
    expect(code).toBe(2);
    expect(stdout).toMatch(message);
    expect(stdout).not.toContain("storage");
  });
});

describe("an image that the data names", () => {
  test("is a file in the folder of the data or below", async () => {
    const place = await templatePlace("{{logo}}");
    await mkdir(place.path("in", "img"), { recursive: true });
    await place.write("in/img/logo.png", PNG);
    await place.write("in/data.json", { logo: { type: "file", id: "img/logo.png" } });
    const render = ["render", "t.docx", "in/data.json", "-o", "out.docx"];
    expect(await place.quire(render)).toMatchObject({ code: 0, stderr: "" });
    expect(await picturesOf(place.path("out.docx"))).toEqual([PNG]);
    const run = ["run", "t.docx", "--data", "in/data.json", "--to", "docx", "--out", "out"];
    expect((await place.quire(run)).code).toBe(0);
    expect(await picturesOf(place.path("out", "t-1.docx"))).toEqual([PNG]);
    const check = await place.quire(["check", "t.docx", "--data", "in/data.json", "--strict"]);
    expect(check.code).toBe(0);
  });

  test.for(["../logo.png", "/etc/hostname", "link.png", "none.png"])(
    "is not read when it is %s",
    async (id) => {
      const place = await templatePlace("{{logo}}");
      await mkdir(place.path("in"));
      await place.write("logo.png", PNG);
      await symlink("../logo.png", place.path("in", "link.png"));
      await place.write("in/data.json", { logo: { type: "file", id } });
      const message = /cannot be read \((forbidden|not_found)\)/;
      const render = await place.quire(["render", "t.docx", "in/data.json", "-o", "out.docx"]);
      expect([render.code, render.stderr]).toEqual([1, expect.stringMatching(message)]);
      const args = ["run", "t.docx", "--data", "in/data.json", "--to", "docx", "--out", "out"];
      const run = await place.quire(args);
      expect([run.code, run.stderr]).toEqual([2, expect.stringMatching(message)]);
      const check = await place.quire(["check", "t.docx", "--data", "in/data.json"]);
      expect([check.code, check.stdout]).toEqual([2, expect.stringMatching(message)]);
    },
  );
});
