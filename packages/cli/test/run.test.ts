import { mkdir, readFile, rename, stat, symlink, writeFile } from "node:fs/promises";
import { PDFDocument } from "pdf-lib";
import { describe, expect, test } from "vitest";
import { makePlace, nothingInstalled, type Place } from "./support/cli.ts";
import { docx, linesOf } from "./support/docx.ts";

async function letterPlace(): Promise<Place> {
  const place = await makePlace();
  await place.write("letter.docx", docx(["Dear {{name}}"]));
  return place;
}

function jsonLines(entries: readonly unknown[]): string {
  return entries.map((entry) => `${JSON.stringify(entry)}\n`).join("");
}

/** Returns the arguments of a run that makes `.docx` from `data.jsonl`. */
function run(...more: string[]): string[] {
  return ["run", "letter.docx", "--data", "data.jsonl", "--to", "docx", "--out", "out", ...more];
}

/** Returns the table of a summary as numbers. */
function summary(stdout: string): Record<string, number> {
  const rows = [...stdout.matchAll(/^([a-z ]+?) {2,}([\d,]+)$/gm)];
  return Object.fromEntries(
    rows.map(([, label, n = ""]) => [label, Number(n.replaceAll(",", ""))]),
  );
}

/** Asserts that a run ended before its first document with one message and created no folder. */
async function expectNothingRan(
  place: Place,
  args: readonly string[],
  message: RegExp,
): Promise<string> {
  const { code, stdout, stderr } = await place.quire(args);
  expect(stderr).toMatch(message);
  expect(stderr).not.toMatch(/bug in Quire|^\s+at /m);
  expect([code, stdout]).toEqual([1, ""]);
  expect(await place.names()).toEqual([]);
  return stderr;
}

describe("quire run", () => {
  test("makes 997 documents from 1,000 entries and reports the three that failed", async () => {
    const place = await letterPlace();
    const lines = Array.from({ length: 1000 }, (_, index) =>
      JSON.stringify({ id: `n-${index + 1}`, name: `Ann ${index + 1}` }),
    );
    lines[99] = '{"id": "n-100", "name": "secret}';
    lines[499] = JSON.stringify({ id: "a/b", name: "secret" });
    lines[899] = JSON.stringify({ id: "n-900", name: { first: "secret" } });
    await place.write("data.jsonl", lines.join("\n"));
    const { code, stdout, stderr } = await place.quire(run("--name", "{{id}}"));
    expect(code).toBe(2);
    const problems = stderr.slice(stderr.indexOf("entry "));
    expect(problems.split("\n")).toEqual([
      "entry 100 failed:",
      "  Line 100 of data.jsonl is not valid JSON (column 25). The text has no closing quote.",
      'entry 500 ("a/b") failed:',
      expect.stringMatching(/^ {2}The file name "a\/b" contains the character \/\..+\.$/),
      'entry 900 ("n-900") failed:',
      expect.stringMatching(
        /^ {2}The value for the tag \{\{name\}\} is an object.+data at \/name\] Name one of its keys after a dot, as in \{\{name\.key\}\}\.$/,
      ),
      "",
    ]);
    expect(stderr).not.toContain("secret");
    expect(stderr).toMatch(/^making 1,000 of 1,000 · .*3 failed · \d+ MB$/m);
    expect(summary(stdout)).toEqual({
      completed: 997,
      "completed with errors": 0,
      failed: 3,
      total: 1000,
    });
    expect(stdout).toMatch(/^997 documents in out, .+ per second$/m);
    const missing = new Set([100, 500, 900]);
    const wanted = lines.flatMap((_, i) => (missing.has(i + 1) ? [] : [`n-${i + 1}.docx`]));
    expect(await place.names()).toEqual(wanted.sort());
    expect(await linesOf(place.path("out", "n-1.docx"))).toEqual(["Dear Ann 1"]);
    expect(await linesOf(place.path("out", "n-1000.docx"))).toEqual(["Dear Ann 1000"]);
  }, 60_000);

  test("makes PDFs", async () => {
    const place = await letterPlace();
    await place.write("data.jsonl", jsonLines([{ name: "Ann" }, { name: "Bob" }, {}]));
    const args = ["--data", "data.jsonl", "--to", "pdf", "--out", "deep/out", "--concurrency", "2"];
    const { code, stdout, stderr } = await place.quire(["run", "letter.docx", ...args]);
    expect(stderr).toContain("entry 3 (\"letter-3\") completed with errors:\n  The tag 'name' was");
    expect(code).toBe(2);
    expect(summary(stdout)).toMatchObject({ completed: 2, "completed with errors": 1, failed: 0 });
    const names = ["letter-1.pdf", "letter-2.pdf", "letter-3.pdf"];
    expect(await place.names("deep/out")).toEqual(names);
    for (const name of names) {
      const pdf = await PDFDocument.load(await readFile(place.path("deep", "out", name)));
      expect(pdf.getPageCount()).toBe(1);
    }
    expect(await place.names("tmp")).toEqual([]);
  }, 60_000);

  test("reports for each entry what LibreOffice printed when it failed", async () => {
    const place = await letterPlace();
    const script = `#!/bin/sh\necho ${"toner ".repeat(200)} >&2\n`;
    await writeFile(place.path("office.sh"), script, { mode: 0o755 });
    await place.write("data.jsonl", jsonLines([{ name: "Ann" }, { name: { first: "secret" } }]));
    const args = ["--data", "data.jsonl", "--to", "pdf", "--out", "out", "--soffice", "office.sh"];
    const { code, stderr } = await place.quire(["run", "letter.docx", ...args]);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^entry 1 .+ failed:\n {2}The document could.+\n {2}Cause: (toner )+/m);
    expect(stderr.match(/^ {2}Cause: .*$/gm)).toHaveLength(1);
    expect(/^ {2}Cause: (.*)$/m.exec(stderr)?.[1]).toHaveLength(500);
    expect(stderr).not.toContain("secret");
  });

  test("accepts a template in the output folder and never overwrites it", async () => {
    const place = await letterPlace();
    await mkdir(place.path("out"));
    await rename(place.path("letter.docx"), place.path("out", "letter.docx"));
    const template = await readFile(place.path("out", "letter.docx"));
    await place.write("data.jsonl", jsonLines([{ name: "Ann" }]));
    const args = ["out/letter.docx", "--data", "data.jsonl", "--to", "docx", "--out", "out"];
    expect((await place.quire(["run", ...args])).code).toBe(0);
    const taken = await place.quire(["run", ...args, "--name", "Letter"]);
    expect([taken.code, taken.stderr]).toEqual([2, expect.stringContaining("is taken")]);
    const more = ["--name", "letter", "--on-conflict", "rename"];
    expect((await place.quire(["run", ...args, ...more])).code).toBe(0);
    expect(await place.names()).toEqual(["letter (1).docx", "letter-1.docx", "letter.docx"]);
    expect(await readFile(place.path("out", "letter.docx"))).toEqual(template);
    expect(await linesOf(place.path("out", "letter (1).docx"))).toEqual(["Dear Ann"]);
  });

  test("reports each warning once, with the number of entries that have it", async () => {
    const place = await letterPlace();
    const entries = Array.from({ length: 60 }, (_, index) => ({
      name: "Ann",
      date: "secret",
      list: [{ a: 1 }, { a: 2 }],
      ...(index < 3 ? { [`only${index}`]: 1, nam: 2 } : {}),
    }));
    await place.write("data.jsonl", jsonLines(entries));
    const { code, stderr } = await place.quire(run());
    expect(code).toBe(0);
    expect(stderr.match(/^(?!making ).+$/gm)).toEqual([
      "warning: The tag 'date' was provided but not used in the template. (60 entries: 1, 2, 3, …)",
      "warning: The tag 'list' was provided but not used in the template. (60 entries: 1, 2, 3, …)",
      "warning: The tag 'nam' was provided but not used in the template. (3 entries: 1, 2, 3)",
      "warning: The tag 'only0' was provided but not used in the template. (1 entry: 1)",
      "warning: The tag 'only1' was provided but not used in the template. (1 entry: 2)",
      "warning: The tag 'only2' was provided but not used in the template. (1 entry: 3)",
    ]);
  });

  test("lists only the first warnings if there are very many", async () => {
    const place = await letterPlace();
    const entries = Array.from({ length: 300 }, (_, index) => ({ name: "Ann", [`k${index}`]: 1 }));
    await place.write("data.jsonl", jsonLines(entries));
    const { code, stderr } = await place.quire(run());
    expect(code).toBe(0);
    expect(stderr.match(/^warning: /gm)).toHaveLength(50);
    expect(stderr).toContain("… and 250 other warnings; quire check --json lists all\n");
  });

  test("does not report values in the file names as unused", async () => {
    const place = await letterPlace();
    const entry = { name: "Ann", id: 1, batch: { day: 2, hour: 3 }, batches: 4 };
    await place.write("data.jsonl", jsonLines([entry]));
    const { code, stderr } = await place.quire(run("--name", "{{id}}-{{batch.day :: trim}}"));
    expect(code).toBe(0);
    expect(stderr.match(/^warning: .+$/gm)).toEqual([
      "warning: The tag 'batches' was provided but not used in the template. (1 entry: 1)",
    ]);
  });

  test("exits with 0 when every entry is complete", async () => {
    const place = await letterPlace();
    await place.write("data.jsonl", jsonLines([{ name: "Ann" }]));
    const { code, stdout, stderr } = await place.quire(run());
    expect([code, stderr]).toEqual([0, expect.stringMatching(/^making 1 of 1 · \d+ MB\n$/)]);
    expect(stdout).toMatch(/^1 document in out, /m);
  });

  test("writes through a symbolic link into another tree", async () => {
    const place = await letterPlace();
    await mkdir(place.path("far", "away"), { recursive: true });
    await symlink(place.path("far", "away"), place.path("out"));
    await place.write("data.jsonl", jsonLines([{ name: "Ann" }]));
    expect((await place.quire(run())).code).toBe(0);
    expect(await place.names("far/away")).toEqual(["letter-1.docx"]);
  });
});

describe("the file names of a run", () => {
  test("are the name of the template with a number, padded to the same width", async () => {
    const place = await letterPlace();
    await place.write("data.jsonl", jsonLines(Array(10).fill({ name: "Ann" })));
    expect((await place.quire(run())).code).toBe(0);
    const names = await place.names();
    expect([names[0], names[9]]).toEqual(["letter-01.docx", "letter-10.docx"]);
  });

  test("come from the data, and only entries without the value fail", async () => {
    const place = await letterPlace();
    const entries = [
      { name: "Ann", customer: { id: 7 }, date: "2024-05-01" },
      { name: "Bob", customer: {}, date: "2024-05-02" },
      { name: "Cid", customer: { id: { x: "secret" } }, date: "2024-05-03" },
      { name: "Dee", customer: { id: "ü.docx" }, date: "2024-05-04" },
    ];
    await place.write("data.jsonl", jsonLines(entries));
    const { code, stderr } = await place.quire(run("--name", "{{date}}-{{customer.id}}"));
    expect(code).toBe(2);
    expect(stderr).toMatch(
      /^entry 2 failed:\n {2}File name: The tag 'customer\.id' was not provided .+data at \/customer\/id\]/m,
    );
    expect(stderr).toMatch(/^entry 3 failed:\n {2}File name: The value .+ is an object/m);
    expect(stderr).not.toContain("secret");
    expect(await place.names()).toEqual(["2024-05-01-7.docx", "2024-05-04-ü.docx"]);
  });

  test.for([
    ["{{if a}}x{{endif}}", /cannot be used in plain text/],
    ["{{name", /not opened or not closed/],
    ["{{name :: uppercas}}", /Did you mean 'uppercase'\?/],
  ] as const)("are rejected before the run if the pattern is %s", async ([pattern, message]) => {
    const place = await letterPlace();
    await place.write("data.jsonl", jsonLines([{ name: "Ann" }]));
    await expectNothingRan(place, run("--name", pattern), message);
  });

  test("fail their entry if they are equal, ignoring case", async () => {
    const place = await letterPlace();
    const entries = [{ name: "Ann" }, { name: "ann" }, { name: "Bob" }];
    await place.write("data.jsonl", jsonLines(entries));
    const { code, stderr } = await place.quire(run("--name", "{{name}}"));
    expect(code).toBe(2);
    expect(stderr).toMatch(/^entry 2 \("ann"\) failed:\n {2}The file name "ann\.docx" is taken/m);
    expect(await place.names()).toEqual(["Ann.docx", "Bob.docx"]);
    expect(await linesOf(place.path("out", "Ann.docx"))).toEqual(["Dear Ann"]);
  });

  test("are numbered with --on-conflict rename if they are equal or taken by a file", async () => {
    const place = await letterPlace();
    await mkdir(place.path("out"));
    await place.write("out/same.docx", "mine");
    await place.write("data.jsonl", jsonLines([{ name: "Ann" }, { name: "Bob" }]));
    const args = run("--name", "same", "--on-conflict", "rename");
    expect((await place.quire(args)).code).toBe(0);
    expect(await place.names()).toEqual(["same (1).docx", "same (2).docx", "same.docx"]);
    expect(await readFile(place.path("out", "same.docx"), "utf8")).toBe("mine");
    expect(await linesOf(place.path("out", "same (2).docx"))).toEqual(["Dear Bob"]);
  });

  test("do not depend on the number of concurrent documents", async () => {
    const entries = Array.from({ length: 60 }, (_, index) => ({
      name: `${index}${"x".repeat((index * 7919) % 5000)}`,
      group: `g${index % 3}`,
    }));
    const outcome = async (concurrency: string): Promise<[string, string[]][]> => {
      const place = await letterPlace();
      await place.write("data.jsonl", jsonLines(entries));
      const more = ["--name", "{{group}}", "--on-conflict", "rename", "--concurrency", concurrency];
      expect((await place.quire(run(...more))).code).toBe(0);
      const names = await place.names();
      return Promise.all(
        names.map(async (name) => [name, await linesOf(place.path("out", name))] as const),
      ) as Promise<[string, string[]][]>;
    };
    const [one, eight] = [await outcome("1"), await outcome("8")];
    expect(one).toHaveLength(60);
    expect(eight).toEqual(one);
    expect(one[0]).toEqual(["g0 (1).docx", [`Dear ${entries[3]?.name}`]]);
  });

  test("are all taken in a second run into the same folder, which overwrites nothing", async () => {
    const place = await letterPlace();
    await place.write("data.jsonl", jsonLines([{ name: "Ann" }, { name: "Bob" }]));
    await place.quire(run());
    const first = await stat(place.path("out", "letter-1.docx"));
    await place.write("data.jsonl", jsonLines([{ name: "Cid" }, { name: "Dee" }]));
    const { code, stdout, stderr } = await place.quire(run());
    expect(code).toBe(2);
    expect(summary(stdout)).toMatchObject({ completed: 0, failed: 2, total: 2 });
    expect(stderr.match(/ is taken, by another entry or by a file/g)).toHaveLength(2);
    expect(await place.names()).toEqual(["letter-1.docx", "letter-2.docx"]);
    expect(await linesOf(place.path("out", "letter-1.docx"))).toEqual(["Dear Ann"]);
    const second = await stat(place.path("out", "letter-1.docx"));
    expect([second.ino, second.mtimeMs]).toEqual([first.ino, first.mtimeMs]);
  });
});

describe("a run that cannot start", () => {
  const good = jsonLines([{ name: "Ann" }]);
  const to = ["--to", "docx", "--out", "out"];

  test("reports every problem of the template", async () => {
    const place = await letterPlace();
    await place.write("letter.docx", docx(["{{if a}}", "{{b + }}"], "{{name :: x}}"));
    await place.write("data.jsonl", good);
    const stderr = await expectNothingRan(place, run(), /In the header header1\.xml, paragraph 1/);
    expect(stderr).toMatch(/\[Paragraph 1\].*\n.*\[Paragraph 2\b.*\n.*header1/);
  });

  test.for([
    ["the template is missing", ["run", "no.docx", "--data", "data.jsonl", ...to], /"no\.docx"/],
    ["the data is missing", ["run", "letter.docx", "--data", "no.jsonl", ...to], /"no\.jsonl"/],
    [
      "the data has an unknown type",
      ["run", "letter.docx", "--data", "a.ods", ...to],
      /\.csv, \.xlsx: save the file .*--data-format\./,
    ],
    ["--to is another type", [...run(), "--to", "odt"], /docx, pdf/],
    ["--concurrency is zero", [...run(), "--concurrency", "0"], /whole number from 1/],
    [
      "--concurrency is too high",
      [...run(), "--concurrency", "257"],
      /whole number from 1 to 256\./,
    ],
    ["--on-conflict is unknown", [...run(), "--on-conflict", "overwrite"], /fail, rename/],
    ["--out is missing", run().slice(0, -2), /--out/],
  ] as const)("exits with 1 when %s", async ([, args, message]) => {
    const place = await letterPlace();
    await place.write("data.jsonl", good);
    await place.write("a.ods", "");
    await expectNothingRan(place, args, message);
  });

  test.for(["json", "jsonl", "csv"])("rejects a folder named data.%s", async (extension) => {
    const place = await letterPlace();
    await mkdir(place.path(`data.${extension}`));
    const args = ["run", "letter.docx", "--data", `data.${extension}`, ...to];
    await expectNothingRan(place, args, /is a folder\. Name a file in it/);
  });

  test.for([
    ["out", "file"],
    ["file/out", "file"],
  ] as const)("rejects the output folder %s if a file is in the way", async ([out]) => {
    const place = await letterPlace();
    await place.write("data.jsonl", good);
    await place.write(out === "out" ? "out" : "file", "mine");
    const args = ["run", "letter.docx", "--data", "data.jsonl", "--to", "docx", "--out", out];
    await expectNothingRan(place, args, /cannot be written: .+ is a file/);
  });

  test("says how to install LibreOffice if it is missing", async () => {
    const place = await letterPlace();
    await place.write("data.jsonl", good);
    const args = ["run", "letter.docx", "--data", "data.jsonl", "--to", "pdf", "--out", "out"];
    const { code, stdout, stderr } = await place.start(args, { nodeArgs: nothingInstalled(place) })
      .ended;
    expect(stderr).toMatch(
      /^quire: LibreOffice.+not found.+apt-get install.+brew.+--soffice.+\.docx files\.$/m,
    );
    expect([code, stdout]).toEqual([1, ""]);
    expect(await place.names(".")).not.toContain("out");
  });
});
