import { describe, expect, test } from "vitest";
import { refusal } from "../../contracts/test/support/refusal.ts";
import { type FolderRef, foldName, type Storage } from "../src/index.ts";
import {
  all,
  entry,
  makeEngine,
  names,
  place,
  request,
  template,
  withCreate,
} from "./support/engine.ts";

const OUT = { type: "folder", id: "out" } as const;

/**
 * Returns a storage with case-insensitive names and with `isTaken`, which counts the listed entries and the calls of
 * `isTaken`.
 */
function folded(inner: Storage): Storage & { listed: number; asked: number } {
  const nameLike = async (name: string): Promise<string | null> => {
    const there = await names(inner);
    return there.find((each) => foldName(each) === foldName(name)) ?? null;
  };
  const storage = {
    ...withCreate(inner, async (folder, name, bytes, options) =>
      inner.create(folder, (await nameLike(name)) ?? name, bytes, options),
    ),
    listed: 0,
    asked: 0,
    async find(...[folder, name, options]: Parameters<Storage["find"]>) {
      return inner.find(folder, (await nameLike(name)) ?? name, options);
    },
    async isTaken(folder: FolderRef, name: string) {
      storage.asked += 1;
      await inner.list(folder, { limit: 1 });
      return (await nameLike(name)) !== null;
    },
    async list(...[folder, options]: Parameters<Storage["list"]>) {
      const page = await inner.list(folder, options);
      storage.listed += page.entries.length;
      return page;
    },
  };
  return storage;
}

async function filled(...taken: string[]): Promise<Storage> {
  const storage = place();
  for (const name of taken) await storage.create(OUT, name, template);
  return storage;
}

async function namesOf(storage: Storage, entries: object[], more: object = {}) {
  await using engine = makeEngine({ storage });
  const asked = request(entries, more);
  const check = await engine.checkBatch(asked);
  const { id } = await engine.createBatch(asked);
  const jobs = await all(engine.jobs(id));
  const made = jobs.map(({ outputFile, failure }) => outputFile?.name ?? failure?.code);
  return { made, checked: check.entries.map(({ fileName }) => fileName) };
}

const TAKEN = [
  "A.docx",
  "a (1).docx",
  "c.docx",
  ...Array.from({ length: 40 }, (_, n) => `x${n}.docx`),
];

describe("a small batch into a large folder of a storage with isTaken", () => {
  test("gets the same names as from a listing, without a listing", async () => {
    const wanted = ["a", "a", "a (1)", "b", "B", "c", "a (3)"].map((name) => entry(name));
    for (const more of [{}, { on_conflict: "fail" }]) {
      const asking = folded(await filled(...TAKEN));
      const asked = await namesOf(asking, wanted, more);
      expect(asked).toEqual(await namesOf(await filled(...TAKEN), wanted, more));
      expect(asked.checked.map((name) => name ?? "conflict")).toEqual(asked.made);
      expect(asking.listed).toBe(0);
      expect(asking.asked).toBeGreaterThan(0);
    }
  });

  test("is rejected if the folder is missing", async () => {
    await using engine = makeEngine({ storage: folded(place()) });
    const nowhere = request([entry("a")], { destination_folder: { type: "folder", id: "no" } });
    expect((await refusal(engine.createBatch(nowhere))).code).toBe("not_found");
  });

  test("lists the folder if too many names are requested or taken", async () => {
    const many = folded(await filled(...TAKEN));
    await namesOf(
      many,
      Array.from({ length: 17 }, (_, index) => entry(`n${index}`)),
    );
    expect(many.listed).toBeGreaterThanOrEqual(TAKEN.length);
    const others = Array.from({ length: 70 }, (_, index) => `a (${index + 1}).docx`);
    const deep = folded(await filled("a.docx", ...others));
    expect((await namesOf(deep, [entry("a")])).made).toEqual(["a (71).docx"]);
    expect(deep.listed).toBeGreaterThanOrEqual(others.length);
  });

  test("of more names gets the same names, after a listing of only a part", async () => {
    const others = Array.from({ length: 900 }, (_, n) => `x${String(n).padStart(3, "0")}.docx`);
    // Some names are in the part that is listed, some are not.
    const wanted = ["a", "A", "x001", "x899", "x899", "x899 (1)", ...others.slice(880, 892), "b"];
    const entries = wanted.map((name) => entry(name.replace(".docx", "")));
    for (const more of [{}, { on_conflict: "fail" }]) {
      const asking = folded(await filled("A.docx", "x899 (1).docx", ...others));
      const asked = await namesOf(asking, entries, more);
      const listing = await filled("A.docx", "x899 (1).docx", ...others);
      expect(asked).toEqual(await namesOf(listing, entries, more));
      // Once for the check, and once for the batch.
      expect(asking.listed).toBe(2 * 4 * entries.length);
    }
  });

  test("looks up the replacements of taken names at the same time", async () => {
    const others = Array.from({ length: 200 }, (_, n) => `b${n}.docx`);
    const storage = folded(await filled(...others, ...TAKEN));
    const lookUp = storage.isTaken?.bind(storage);
    let [running, most] = [0, 0];
    Object.assign(storage, {
      async isTaken(folder: FolderRef, name: string) {
        running += name.includes("(1)") ? 1 : 0;
        most = Math.max(most, running);
        const result = await lookUp?.(folder, name);
        running -= name.includes("(1)") ? 1 : 0;
        return result;
      },
    });
    const wanted = Array.from({ length: 40 }, (_, n) => entry(`x${n}`));
    const { made } = await namesOf(storage, wanted);
    expect(made).toEqual(wanted.map((_, n) => `x${n} (1).docx`));
    expect(most).toBeGreaterThan(20);
  });

  test("a repeated request of many names looks up none of them", async () => {
    const storage = folded(place());
    await using engine = makeEngine({ storage });
    const asked = request(Array.from({ length: 40 }, (_, n) => entry(`x${n}`)));
    const first = await engine.createBatch(asked, { idempotencyKey: "one" });
    await all(engine.jobs(first.id));
    const lookups = storage.asked + storage.listed;
    const again = await engine.createBatch(asked, { idempotencyKey: "one" });
    expect(again.id).toBe(first.id);
    expect(storage.asked + storage.listed).toBe(lookups);
    const other = request(Array.from({ length: 41 }, (_, n) => entry(`x${n}`)));
    const refused = engine.createBatch(other, { idempotencyKey: "one" });
    expect((await refusal(refused)).code).toBe("conflict");
  });

  test("skips names that a running batch has reserved", async () => {
    const inner = await filled("a (1).docx");
    const held = Promise.withResolvers<void>();
    const storage = folded(inner);
    const create = storage.create.bind(storage);
    Object.assign(storage, {
      async create(...file: Parameters<Storage["create"]>) {
        if (file[1] === "a.docx") await held.promise;
        return create(...file);
      },
    });
    await using engine = makeEngine({ storage });
    const first = await engine.createBatch(request([entry("a")]));
    const second = await engine.createBatch(request([entry("a")]));
    expect((await all(engine.jobs(second.id)))[0]?.outputFile?.name).toBe("a (2).docx");
    held.resolve();
    expect((await all(engine.jobs(first.id)))[0]?.outputFile?.name).toBe("a.docx");
  });
});

test("a storage without isTaken is also listed for a small batch", async () => {
  const { made } = await namesOf(await filled(...TAKEN), [entry("a")]);
  expect(made).toEqual(["a (2).docx"]);
});
