/**
 * Tests that nothing that a document names is fetched or read. `links.long.test.ts` tests all vectors and each layer.
 */
import { expect } from "vitest";
import { ALL_WAYS } from "./bait.ts";
import { slowTest } from "./laboratory.ts";
import { leaks } from "./links.ts";

const PICTURE = "a picture by link";

slowTest("nothing is fetched or read with all layers", async () => {
  const vectors = [
    PICTURE,
    "the field INCLUDETEXT",
    "a chunk from outside",
    "a picture of SVG with a style and an entity",
    "an external entity",
  ];
  const seal = { cleaned: true, hardened: true, isolated: true };
  expect(await leaks(seal, { ways: ALL_WAYS, vectors })).toEqual([]);
});

slowTest("cleaning alone keeps pictures and objects from reading files", async () => {
  const vectors = [
    "a compressed SVG under the name of a PNG",
    "an SVG in an address of an SVG",
    "an SVG in an EMF in a WMF",
    "an SVG within the document itself",
    "an EPS picture that reads",
    "a document in a document",
  ];
  const seal = { cleaned: true, hardened: false, isolated: false };
  expect(await leaks(seal, { ways: ALL_WAYS, vectors })).toEqual([]);
});

slowTest("a picture leaks without any layer, so the other tests are meaningful", async () => {
  const seal = { cleaned: false, hardened: false, isolated: false };
  const found = await leaks(seal, { ways: ALL_WAYS, vectors: [PICTURE] });
  const leaking = new Set(found.map(({ vector }) => vector));
  expect(leaking).toEqual(new Set(ALL_WAYS.map((way) => `${PICTURE}, ${way}`)));
  const hidden = "an SVG in an EMF in a WMF";
  const [leak] = await leaks(seal, { ways: ["by a file's address"], vectors: [hidden] });
  expect(leak).toEqual({ vector: `${hidden}, by a file's address`, what: "a file was read" });
});
