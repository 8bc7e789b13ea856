import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { storageConformance } from "@quire/conformance";
import { describe, expect, onTestFinished, test } from "vitest";
import { makeDisk } from "./support/disk.ts";
import {
  ANNA,
  contentOf,
  file,
  folder,
  listed,
  namesIn,
  ROOT,
  stream,
  text,
} from "./support/place.ts";

const OTHER_ID = "Ids are never reused: a file that is created again gets a new id.";

describe("the files of a tenant on disk fulfil the contract of Storage:", () => {
  storageConformance({
    test,
    fixture: async () => {
      const disk = await makeDisk();
      const files = disk.open();
      await files.createFolder(ANNA, "0", "out");
      return {
        storage: files.storageOf(ANNA.tenant),
        open: () => disk.open().storageOf(ANNA.tenant),
        folder: folder("path:out"),
        parent: folder("path:"),
        destroy: async () => {
          await disk[Symbol.asyncDispose]();
        },
      };
    },
    skip: {
      "other bytes under the same name have another version": OTHER_ID,
      "removeFolder removes an empty folder, and may be called twice": OTHER_ID,
      "an aborted signal ends each call to a medium that does not respond":
        "The operating system cannot abort a call to a disk.",
      "list returns folders too, but not their contents":
        "Listed items have the ids of the catalog.",
    },
  });
});

describe("files on disk", () => {
  test("are found in the tenant's folder, whoever has added them", async () => {
    await using disk = await makeDisk();
    await mkdir(join(disk.root, "tenants", "acme", "letters"), { recursive: true });
    await writeFile(join(disk.root, "tenants", "acme", "letters", "a.docx"), "one");
    const files = disk.open();
    const { ref } = await files
      .storageOf("acme")
      .create(folder("path:letters"), "b.pdf", text("two"));
    const [a, b] = await listed(files, "path:letters");
    expect([a?.name, b?.id]).toEqual(["a.docx", ref.id]);
    await writeFile(join(disk.root, "tenants", "acme", "letters", "a.docx"), "other");
    expect(await contentOf(files, a?.id ?? "")).toBe("other");
    expect(await files.versions("acme", a?.id ?? "")).toHaveLength(2);
    await rm(join(disk.root, "tenants", "acme", "letters"), { recursive: true });
    expect(await namesIn(disk.open(), "path:letters")).toEqual([]);
  });

  test("are the same for two concurrent services", async () => {
    await using disk = await makeDisk();
    const [one, other] = [disk.open(), disk.open()];
    const outcomes = await Promise.allSettled(
      Array.from({ length: 20 }, (_, index) => {
        const files = index % 2 ? one : other;
        return index % 4 < 2
          ? files.upload(ANNA, "0", "a.docx", stream(`${index}`))
          : files.storageOf("acme").create(ROOT, "a.docx", text(`${index}`));
      }),
    );
    const winners = outcomes.flatMap((each, index) => (each.status === "fulfilled" ? index : []));
    expect(winners).toHaveLength(1);
    const [entry] = await listed(one);
    expect(await contentOf(other, entry?.id ?? "")).toBe(`${winners[0]}`);
  });

  test("that a killed process has acknowledged all exist, and every listed file has its bytes", async () => {
    await using disk = await makeDisk();
    const script = join(import.meta.dirname, "support", "killed.ts");
    // The processes load at the same time. Each one starts its work when its standard input has data.
    const children = Array.from({ length: 3 }, () =>
      spawn(process.execPath, [script, disk.base], { stdio: ["pipe", "pipe", "inherit"] }),
    );
    onTestFinished(() => {
      for (const child of children) child.kill("SIGKILL");
    });
    for (const [round, child] of children.entries()) {
      child.stdin.write("begin\n");
      let told = "";
      child.stdout.on("data", (chunk: Buffer) => {
        told += chunk.toString();
      });
      while (told.split("\n").length < 15 + round * 10) await once(child.stdout, "data");
      // The kill interrupts one of the following operations.
      await wait(round * 7);
      child.kill("SIGKILL");
      await once(child, "close");
      const files = disk.open();
      await files.sweep();
      const expected = new Map<string, string>();
      for (const line of told.split("\n").slice(0, -1)) {
        const [what, id, content] = line.split(" ");
        if (what === "there") expected.set(id ?? "", content ?? "");
        else expected.delete(id ?? "");
      }
      expect(expected.size).toBeGreaterThan(0);
      for (const [id, content] of expected) expect(await contentOf(files, id)).toBe(content);
      for (const { id } of await listed(files)) {
        expect(await contentOf(files, id)).toMatch(/^[0-9a-f-]{36}$/);
        const found = await files.resolve("acme", file(id));
        expect(found.id).toBe(id);
      }
      const names = await readdir(join(disk.root, "tenants", "acme"));
      expect(names.filter((name) => name.endsWith(".docx"))).toEqual([]);
    }
  });
});
