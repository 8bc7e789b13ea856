import { describe, expect, test } from "vitest";
import { storageConformance } from "../../conformance/src/storage/storage.ts";
import { memoryStorage } from "../src/memory/storage.ts";

const ONE = new TextEncoder().encode("one");

describe("memoryStorage keeps the contract of Storage:", () => {
  storageConformance({
    test,
    skip: {
      "an aborted signal ends each call to a medium that does not respond":
        "Memory always responds.",
    },
    fixture: () => ({
      storage: memoryStorage({ folders: ["place/out"] }),
      parent: { type: "folder", id: "place" },
      folder: { type: "folder", id: "place/out" },
    }),
  });
});

describe("memoryStorage", () => {
  test("starts with the files of its seed and their parent folders", async () => {
    const storage = memoryStorage({ files: { "a/b/c.docx": ONE, "d.docx": ONE } });
    const { entries } = await storage.list({ type: "folder", id: "." });
    expect(entries).toEqual([
      { ref: { type: "folder", id: "a" }, name: "a" },
      { ref: { type: "file", id: "d.docx" }, name: "d.docx" },
    ]);
    expect((await storage.read({ type: "file", id: "a/b/c.docx" })).bytes).toEqual(ONE);
  });

  test("copies the bytes of its seed", async () => {
    const bytes = Uint8Array.from(ONE);
    const storage = memoryStorage({ files: { "a.docx": bytes } });
    bytes.fill(0);
    expect((await storage.read({ type: "file", id: "a.docx" })).bytes).toEqual(ONE);
  });

  test("accepts files in the root folder without any seed", async () => {
    const storage = memoryStorage();
    const info = await storage.create({ type: "folder", id: "." }, "a.docx", ONE);
    expect(info.ref).toEqual({ type: "file", id: "a.docx" });
  });

  test("rejects a file with the name of a folder", async () => {
    const storage = memoryStorage({ folders: ["a"] });
    const created = storage.create({ type: "folder", id: "." }, "a", ONE);
    await expect(created).rejects.toMatchObject({ code: "conflict" });
  });

  test("keeps its root, even if it is empty", async () => {
    const removed = memoryStorage().removeFolder({ type: "folder", id: "." });
    await expect(removed).rejects.toMatchObject({ code: "forbidden" });
  });

  test("rejects ids that are not paths below the root, also in its seed", async () => {
    for (const id of ["/a", "a//b", "a/", "./a", "a/./b", "a\\b", "a/../b"]) {
      const stat = memoryStorage().stat({ type: "file", id });
      await expect(stat, id).rejects.toMatchObject({ code: "forbidden" });
      const seed = { files: { [id]: ONE } };
      expect(() => memoryStorage(seed), id).toThrow(expect.objectContaining({ code: "forbidden" }));
    }
  });

  test("rejects a seed in which a path is both a file and a folder", () => {
    const conflict = expect.objectContaining({ code: "conflict" });
    expect(() => memoryStorage({ files: { a: ONE, "a/b": ONE } })).toThrow(conflict);
    expect(() => memoryStorage({ files: { a: ONE }, folders: ["a"] })).toThrow(conflict);
  });

  test("rejects a limit with which a listing would make no progress", async () => {
    for (const limit of [0, -1, 1.5, Number.NaN]) {
      const page = memoryStorage().list({ type: "folder", id: "." }, { limit });
      await expect(page).rejects.toMatchObject({ code: "invalid_request" });
    }
  });
});

describe("storageConformance", () => {
  const fixture = () => ({
    storage: memoryStorage({ folders: ["place/out"] }),
    parent: { type: "folder", id: "place" } as const,
    folder: { type: "folder", id: "place/out" } as const,
  });
  const name = "list of an empty folder returns nothing";

  test("skips cases for which a reason is given", () => {
    const names: string[] = [];
    storageConformance({ test: (each) => names.push(each), fixture });
    expect(names).toContain(name);
    const fewer: string[] = [];
    storageConformance({
      test: (each) => fewer.push(each),
      fixture,
      skip: { [name]: "shows how" },
    });
    expect(fewer).toEqual(names.filter((each) => each !== name));
  });

  test("rejects an unknown case to skip, and a skip without a reason", () => {
    const none = { test: () => {}, fixture };
    expect(() => storageConformance({ ...none, skip: { "no such case": "why" } })).toThrow(
      'skip names an unknown case: "no such case".',
    );
    expect(() => storageConformance({ ...none, skip: { [name]: "" } })).toThrow("no reason");
  });

  test("gives each case a separate folder and destroys it, even after a failure", async () => {
    const bodies: (() => Promise<void>)[] = [];
    let made = 0;
    let destroyed = 0;
    storageConformance({
      test: (_, body) => bodies.push(body),
      fixture: () => {
        made += 1;
        const place = fixture();
        const broken = { ...place, folder: { type: "folder", id: "no/such" } as const };
        const destroy = () => {
          destroyed += 1;
        };
        return { ...(made === 1 ? broken : place), destroy };
      },
    });
    const outcomes = await Promise.allSettled(bodies.map((body) => body()));
    expect(outcomes.map(({ status }) => status)).toContain("rejected");
    expect([made, destroyed]).toEqual([bodies.length, bodies.length]);
  });
});
