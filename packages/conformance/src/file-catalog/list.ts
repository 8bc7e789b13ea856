import assert from "node:assert/strict";
import { rejects } from "../assertions.ts";
import { BAD_LIMITS, BAD_MARKERS, pages } from "../service-fixture.ts";
import { addFile, addFolder, type FileCatalogCases, namesOf, rootId, TENANT } from "./fixture.ts";

/** File names, sorted by the code points of their folded forms. Sorting by code units would swap the last two. */
const FILES = [
  "10.docx",
  "9.docx",
  "a.docx",
  "B.docx",
  "c.docx",
  "é.docx",
  "\uff5e",
  "📄",
] as const;
const FOLDERS = ["A", "b", "z"] as const;
const ALL = [...FOLDERS, ...FILES];

/** The cases about listings, by name. */
export const listCases: FileCatalogCases = {
  "an empty folder has one empty page": async ({ store }) => {
    const page = await store.list(TENANT, await rootId(store), { limit: 10 });
    assert.deepEqual(page, { items: [], nextMarker: null, total: 0 });
  },

  "lists a folder in pages of any size: folders first, each group by name": async (place) => {
    const { store, other } = place;
    const root = await rootId(store);
    for (const name of [
      "c.docx",
      "📄",
      "\uff5e",
      "a.docx",
      "é.docx",
      "10.docx",
      "B.docx",
      "9.docx",
    ])
      await addFile(store, root, name);
    for (const name of ["z", "b", "A"]) {
      const { id } = await addFolder(store, root, name);
      await addFile(other, id, "within.docx");
    }
    for (const limit of [1, 2, 3, 5, 10, 11, 12, 1000]) {
      const list = (marker?: string) => other.list(TENANT, root, { limit, marker });
      assert.deepEqual(namesOf(await pages(limit, list)), ALL, `Pages of ${limit}.`);
      assert.equal((await list()).total, ALL.length);
    }
    const { items } = await other.list(TENANT, root, { limit: 1 });
    assert.deepEqual(items[0], await store.find(TENANT, { id: items[0]?.id ?? "" }));
  },

  "an offset skips entries, and the marker continues from there": async (place) => {
    const { store, other } = place;
    const root = await rootId(store);
    for (const name of FILES) await addFile(store, root, name);
    for (const name of FOLDERS) await addFolder(store, root, name);
    for (const offset of [0, 1, 2, 3, 4, 9, 10, 11, 12, 1_000_000]) {
      const first = await other.list(TENANT, root, { limit: 2, offset });
      assert.deepEqual(namesOf(first.items), ALL.slice(offset, offset + 2));
      assert.equal(first.total, ALL.length);
      assert.equal(first.nextMarker === null, offset + 2 >= ALL.length);
      if (first.nextMarker === null) continue;
      const rest = await other.list(TENANT, root, { limit: 100, marker: first.nextMarker });
      assert.deepEqual(namesOf(rest.items), ALL.slice(offset + 2));
    }
  },

  "changes between two pages do not repeat or skip other entries": async ({ store, other }) => {
    const root = await rootId(store);
    for (const name of ["b", "d", "f", "h", "j"]) await addFile(store, root, name);
    const first = await other.list(TENANT, root, { limit: 2 });
    assert.deepEqual(namesOf(first.items), ["b", "d"]);
    await addFile(store, root, "a");
    await addFolder(store, root, "z");
    await addFile(store, root, "e");
    for (const { id } of first.items) await store.remove(TENANT, id);
    const rest = (marker?: string) =>
      other.list(TENANT, root, { limit: 2, marker: marker ?? first.nextMarker ?? "" });
    assert.deepEqual(namesOf(await pages(2, rest)), ["e", "f", "h", "j"]);
    assert.equal((await rest()).total, 6);
  },

  "rejects an invalid marker, limit or offset with invalid_request": async (place) => {
    const { store, other } = place;
    const root = await rootId(store);
    for (const name of ["a", "b", "c"]) await addFile(store, root, name);
    const { id } = await addFolder(store, root, "within");
    for (const name of ["a", "b", "c"]) await addFile(store, id, name);
    for (const limit of BAD_LIMITS) {
      await rejects(other.list(TENANT, root, { limit }), "invalid_request");
    }
    for (const offset of [-1, 1.5, Number.NaN, Number.POSITIVE_INFINITY]) {
      await rejects(other.list(TENANT, root, { limit: 1, offset }), "invalid_request");
    }
    for (const marker of BAD_MARKERS) {
      await rejects(other.list(TENANT, root, { limit: 1, marker }), "invalid_request");
    }
    const { nextMarker } = await other.list(TENANT, root, { limit: 1 });
    assert.ok(nextMarker !== null && /^[\w.~-]+$/.test(nextMarker));
    const marker = nextMarker;
    await rejects(other.list(TENANT, root, { limit: 1, offset: 1, marker }), "invalid_request");
    await rejects(other.list(TENANT, id, { limit: 1, marker }), "invalid_request");
    await rejects(other.list(TENANT, root, { limit: 1, marker: `${marker}x` }), "invalid_request");
  },

  "rejects listing anything that is not a folder of the tenant": async ({ store }) => {
    const file = await addFile(store, await rootId(store), "a.docx");
    await rejects(store.list(TENANT, file.id, { limit: 1 }), "not_found");
    await rejects(store.list(TENANT, "none", { limit: 1 }), "not_found");
  },
};
