/**
 * Tests that nothing that a document names is fetched or read. `links.chaos.test.ts` tests all vectors and each layer.
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
  // LibreOffice 26.8 reads no linked pictures by default, and 25.2 reads fewer of them than 7.4.
  const vectors = [PICTURE, "an SVG in an EMF in a WMF", "a chunk of HTML with a picture"];
  const found = await leaks(seal, { ways: ALL_WAYS, vectors });
  expect(found.map(({ what }) => what)).toContain("the picture");
  expect(found.map(({ what }) => what)).toContain("a file was read");
});
