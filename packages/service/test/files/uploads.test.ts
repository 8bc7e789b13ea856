import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { memoryStorage } from "@quire/core";
import { describe, expect, test } from "vitest";
import {
  ANNA,
  contentOf,
  HIDDEN,
  listed,
  makePlace,
  namesIn,
  rejects,
  stored,
  stream,
  text,
} from "./support/place.ts";
import { watchedStorage } from "./support/wrapped.ts";

const SHA1 = createHash("sha1").update("one two").digest("hex");

describe("an uploaded file", () => {
  test("has its bytes, its name, its creator and the SHA-1", async () => {
    const { files } = makePlace();
    const file = await files.upload(ANNA, "0", "a.docx", stream("one", " two"), {
      sha1: SHA1.toUpperCase(),
    });
    expect(file).toMatchObject({ type: "file", name: "a.docx", createdBy: "anna", versions: 1 });
    expect(file.version).toMatchObject({ size: 7, sha1: SHA1, createdBy: "anna" });
    expect(await contentOf(files, file.id)).toBe("one two");
    expect(await files.resolve("acme", { type: "file", id: file.id })).toEqual(file);
    expect(await files.resolve("acme", { type: "file", id: "path:A.docx" })).toEqual(file);
  });

  test("may be empty", async () => {
    const { files } = makePlace();
    const file = await files.upload(ANNA, "0", "a.docx", stream());
    expect(file.version.size).toBe(0);
    expect(await contentOf(files, file.id)).toBe("");
  });

  test("keeps all its versions, each with its bytes", async () => {
    const { files } = makePlace();
    const first = await files.upload(ANNA, "0", "a.docx", stream("one"));
    const second = await files.uploadVersion(ANNA, first.id, stream("two"));
    expect(second).toMatchObject({ id: first.id, name: "a.docx", versions: 2 });
    const versions = await files.versions("acme", first.id);
    expect(versions.map(({ id }) => id)).toEqual([second.version.id, first.version.id]);
    expect(await contentOf(files, first.id)).toBe("two");
    expect(await contentOf(files, first.id, first.version.id)).toBe("one");
    await rejects(files.read("acme", first.id, { version: "none" }), "not_found");
  });

  test("is rejected under a name that is taken, before anything is read", async () => {
    const { files, storage } = makePlace();
    await files.upload(ANNA, "0", "Straße.docx", stream("one"));
    await files.createFolder(ANNA, "0", "letters");
    let asked = 0;
    const source = (async function* () {
      asked++;
      yield text("two");
    })();
    await rejects(files.upload(ANNA, "0", "STRAßE.DOCX", source), "conflict");
    await rejects(files.upload(ANNA, "0", "Letters", stream("two")), "conflict");
    expect(asked).toBe(0);
    expect(await stored(storage, HIDDEN)).toHaveLength(1);
  });

  test("wins once if 20 uploads use one name, and the others leave nothing", async () => {
    const { files, storage } = makePlace();
    const outcomes = await Promise.allSettled(
      Array.from({ length: 20 }, (_, index) =>
        files.upload(ANNA, "0", index % 2 ? "A.docx" : "a.docx", stream(`${index}`)),
      ),
    );
    const winners = outcomes.flatMap((each, index) => (each.status === "fulfilled" ? index : []));
    expect(winners).toHaveLength(1);
    for (const each of outcomes) {
      if (each.status === "rejected") await rejects(Promise.reject(each.reason), "conflict");
    }
    const [file] = await listed(files);
    expect(await contentOf(files, file?.id ?? "")).toBe(`${winners[0]}`);
    expect(await stored(storage, HIDDEN)).toHaveLength(1);
  });

  test("gets all of 20 concurrent versions", async () => {
    const { files } = makePlace();
    const { id } = await files.upload(ANNA, "0", "a.docx", stream("first"));
    const made = await Promise.all(
      Array.from({ length: 20 }, (_, index) => files.uploadVersion(ANNA, id, stream(`${index}`))),
    );
    const versions = await files.versions("acme", id);
    expect(versions).toHaveLength(21);
    for (const [index, { version }] of made.entries()) {
      expect(await contentOf(files, id, version.id)).toBe(`${index}`);
    }
  });
});

describe("an upload leaves nothing if", () => {
  test("its bytes do not match the declared SHA-1", async () => {
    const { files, storage } = makePlace();
    const { id } = await files.upload(ANNA, "0", "a.docx", stream("one"));
    const sha1 = SHA1;
    for (const wrong of [
      files.upload(ANNA, "0", "b.docx", stream("other"), { sha1 }),
      files.uploadVersion(ANNA, id, stream("other"), { sha1 }),
    ]) {
      const error = await rejects(wrong, "invalid_request");
      expect(error.diagnostics[0]?.code).toBe("sha1_mismatch");
    }
    expect(await namesIn(files)).toEqual(["a.docx"]);
    expect(await files.versions("acme", id)).toHaveLength(1);
    expect(await stored(storage, HIDDEN)).toHaveLength(1);
  });

  test("the SHA-1 is invalid, and its source is closed unread", async () => {
    const { files } = makePlace();
    let isReturned = false;
    const source: AsyncIterable<Uint8Array> = {
      [Symbol.asyncIterator]: () => ({
        next: () => Promise.reject(new Error("It was read.")),
        return: async () => {
          isReturned = true;
          return { done: true, value: undefined };
        },
      }),
    };
    await rejects(files.upload(ANNA, "0", "b.docx", source, { sha1: "12" }), "invalid_request");
    expect(isReturned).toBe(true);
    expect(await namesIn(files)).toEqual([]);
  });

  test("it has too many bytes, which are read only up to the limit", async () => {
    const { files, storage } = makePlace({ maxFileBytes: 1000 });
    let given = 0;
    let isReturned = false;
    const endless = (async function* () {
      try {
        for (;;) {
          given += 100;
          yield new Uint8Array(100);
        }
      } finally {
        isReturned = true;
      }
    })();
    await rejects(files.upload(ANNA, "0", "a.docx", endless), "limit_exceeded");
    expect(given).toBe(1100);
    expect(isReturned).toBe(true);
    expect(await namesIn(files)).toEqual([]);
    expect(await stored(storage, HIDDEN)).toEqual([]);
    await files.upload(ANNA, "0", "a.docx", stream("x".repeat(1000)));
  });

  test("it is aborted, even while no data arrives", async () => {
    const { files, storage } = makePlace();
    const abort = new AbortController();
    const begun = Promise.withResolvers<void>();
    const stuck = (async function* () {
      yield text("one");
      begun.resolve();
      await new Promise(() => {});
    })();
    const upload = files.upload(ANNA, "0", "a.docx", stuck, { signal: abort.signal });
    await begun.promise;
    abort.abort();
    await rejects(upload, "aborted");
    expect(await namesIn(files)).toEqual([]);
    expect(await stored(storage, HIDDEN)).toEqual([]);
  });

  test("its source fails, and it rejects with that error", async () => {
    const { files, storage } = makePlace();
    const broken = (async function* () {
      yield text("one");
      throw new Error("The line went dead.");
    })();
    await expect(files.upload(ANNA, "0", "a.docx", broken)).rejects.toThrow("The line went dead.");
    expect(await stored(storage, HIDDEN)).toEqual([]);
  });

  test("its folder is removed during the upload", async () => {
    const { files, storage } = makePlace();
    const { id } = await files.createFolder(ANNA, "0", "letters");
    const slow = (async function* () {
      yield text("one");
      await files.remove("acme", id);
      yield text("two");
    })();
    await rejects(files.upload(ANNA, id, "a.docx", slow), "not_found");
    expect(await stored(storage, HIDDEN)).toEqual([]);
  });

  test("its file is removed during the upload of a version", async () => {
    const { files, storage } = makePlace();
    const { id } = await files.upload(ANNA, "0", "a.docx", stream("one"));
    const slow = (async function* () {
      yield text("one");
      await files.remove("acme", id);
    })();
    await rejects(files.uploadVersion(ANNA, id, slow), "not_found");
    expect(await stored(storage, HIDDEN)).toEqual([]);
  });
});

describe("a process that is killed during an upload", () => {
  test("leaves nothing in listings, and the upload can be repeated", async () => {
    const inner = memoryStorage();
    let isDead = false;
    const dying = watchedStorage(
      inner,
      () => {
        if (isDead) throw new Error("This process has ended.");
      },
      (method, id) => {
        if (method === "create" && id === HIDDEN.id) isDead = true;
      },
    );
    const { files, open, catalog } = makePlace({ storage: inner });
    await files.list("acme", "0", { limit: 10 });
    const deadCatalog = new Proxy(catalog, {
      get: (target, name) => {
        const method: unknown = Reflect.get(target, name);
        assert.ok(typeof method === "function");
        return (...values: unknown[]) => {
          if (isDead) throw new Error("This process has ended.");
          return Reflect.apply(method, target, values);
        };
      },
    });
    const killed = open({ storage: dying, catalog: deadCatalog });
    await expect(killed.upload(ANNA, "0", "a.docx", stream("one"))).rejects.toThrow("ended");
    expect(await namesIn(files)).toEqual([]);
    const again = await files.upload(ANNA, "0", "a.docx", stream("two"));
    expect(await contentOf(files, again.id)).toBe("two");
  });
});
