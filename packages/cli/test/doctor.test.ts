import { writeFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { makePlace, nothingInstalled } from "./support/cli.ts";

describe("quire doctor", () => {
  test("reports on Node, LibreOffice, the fonts and the folders", async () => {
    const place = await makePlace();
    const before = await place.names(".");
    const { code, stdout, stderr } = await place.quire(["doctor"]);
    expect(stdout).toContain(`ok      Node ${process.versions.node}\n`);
    expect(stdout).toMatch(/^ok {6}LibreOffice \d+\.\d+\S* at \//m);
    for (const layer of ["documents", "links", "network", "files", "processes", "system calls"]) {
      expect(stdout).toMatch(
        new RegExp(`^(?:ok {6}|warning )${layer}: .*(?:\\.\\n {8}\\S|\\w$)`, "m"),
      );
    }
    expect(stdout).toMatch(/^ok {6}batches: LibreOffice converts documents of a batch together$/m);
    expect(stdout).toMatch(/^(?:ok {6}|warning )release: Quire is .*7\.4, 25\.2 and 26\.8/m);
    expect(stdout).toMatch(/^ok {6}links: LibreOffice did not follow a test link$/m);
    expect(stdout).toMatch(/font.+Carlito|fonts could not be listed/);
    expect(stdout).toMatch(/^ok {6}temporary folder .+tmp: writable/m);
    expect(stdout).toMatch(/^ok {6}output folder \.: writable/m);
    expect([code, stderr]).toEqual([0, ""]);
    expect(await place.names(".")).toEqual(before);
    expect(await place.names("tmp")).toEqual([]);
  });

  test("exits with 1 and a clear line when the output folder cannot be written", async () => {
    const place = await makePlace();
    await place.write("file", "");
    // Checking LibreOffice takes seconds, so this test makes LibreOffice missing.
    const args = ["doctor", "--out", "file", "--soffice", "missing"];
    const { code, stdout } = await place.quire(args);
    expect(stdout).toMatch(/^PROBLEM output folder file: ENOTDIR.*\n {8}Use a folder /m);
    expect(code).toBe(1);
  });

  test("checks the LibreOffice of --soffice, and exits with 1 only for a missing output folder", async () => {
    const place = await makePlace();
    const script =
      '#!/bin/sh\ncase "$*" in *--version*) echo LibreOffice 1.2.3.4 here;; *) exec soffice "$@";; esac\n';
    await writeFile(place.path("office.sh"), script, { mode: 0o755 });
    const args = ["doctor", "--soffice", "office.sh", "--out", "nowhere"];
    const good = await place.quire(args);
    expect(good.stdout).toContain(`ok      LibreOffice 1.2.3.4 at ${place.path("office.sh")}\n`);
    expect(good.stdout).toMatch(/^warning release: Quire is not tested with this release/m);
    expect(good.stdout).toMatch(/^ok {6}conversion: LibreOffice keeps running/m);
    expect(good.stdout).toMatch(/^PROBLEM output folder nowhere: ENOENT.*\n {8}Use a folder /m);
    expect([good.code, good.stdout.match(/^PROBLEM/gm)]).toEqual([1, ["PROBLEM"]]);
    expect(await place.names(".")).toEqual(["office.sh", "tmp"]);
    const bad = await place.quire(["doctor", "--soffice", "missing"]);
    expect(bad.stdout).toMatch(
      /^PROBLEM There is no LibreOffice .+ missing\.\n {8}Correct --soff/m,
    );
    expect(bad.code).toBe(1);
  }, 120_000);

  test("exits with 1 and says how to install LibreOffice if it is missing", async () => {
    const place = await makePlace();
    const { code, stdout } = await place.start(["doctor"], { nodeArgs: nothingInstalled(place) })
      .ended;
    expect(stdout).toMatch(/^PROBLEM LibreOffice was not found.*\n.*apt-get install.*brew/m);
    expect(stdout).toMatch(/^ok {6}output folder/m);
    expect(code).toBe(1);
  });
});
