/**
 * Tests that nothing that a document names is fetched or read, with each layer of the seal alone and all vectors. With
 * QUIRE_ALL_WAYS=1, each vector uses all ways; otherwise one way, which differs from test to test, and WebAssembly, which
 * is slow, gets every third vector. Test all ways when LibreOffice, its seal or the vectors change.
 */
import { expect, test } from "vitest";
import { findSoffice, networkIsolation, sofficeVersion } from "../src/index.ts";
import { confinement } from "../src/office/confine.ts";
import { hasOwnMounts } from "../src/office/launch.ts";
import type { Seal } from "../src/office/seal.ts";
import { ALL_WAYS, RARE_WAYS, type Way } from "./bait.ts";
import { type Attempt, type Leak, leaks } from "./links.ts";
import { NAME_VECTORS } from "./name-vectors.ts";
import { OBJECT_VECTORS } from "./object-vectors.ts";
import { PICTURE_VECTORS } from "./picture-vectors.ts";
import { SVG_VECTORS } from "./svg-vectors.ts";
import { VECTORS } from "./vectors.ts";

const ALL = process.env.QUIRE_ALL_WAYS === "1";
let tests = 0;

/** As {@link leaks}, with all ways or the next way of each vector. */
function leaksOf(seal: Seal, attempt: Attempt): Promise<Leak[]> {
  tests += 1;
  return leaks(seal, { ...attempt, oneWayFrom: ALL ? undefined : tests });
}

const CASES: readonly (readonly [what: string, seal: Seal, ways: readonly Way[]])[] = [
  ["without cleaning", { cleaned: false, hardened: true, isolated: true }, ALL_WAYS],
  ["without the hardened profile", { cleaned: true, hardened: false, isolated: true }, ALL_WAYS],
  ["with the network", { cleaned: true, hardened: true, isolated: false }, ALL_WAYS],
  [
    "with cleaning only",
    { cleaned: true, hardened: false, isolated: false },
    [...ALL_WAYS, ...RARE_WAYS],
  ],
  ["with the hardened profile only", { cleaned: false, hardened: true, isolated: false }, ALL_WAYS],
];

/**
 * Local pictures that LibreOffice 7.4, 25.2 or 26.8 draws although its profile forbids it. Cleaning blocks them, and so does
 * a view without these files. Do not add other vectors, in particular none that uses the network.
 */
const DRAWN_ALL_THE_SAME: ReadonlySet<string> = new Set([
  "a fill of a shape",
  "a picture of SVG with a picture",
  "the background of a canvas",
  "a bullet of a shape",
  "a fill of a shape of an unknown kind",
  // Only 26.8, which reads HTML with its new import.
  "a chunk of HTML with a picture",
  ...Object.keys(OBJECT_VECTORS),
  ...Object.keys(PICTURE_VECTORS),
  ...Object.keys(SVG_VECTORS),
  ...Object.keys(NAME_VECTORS),
]);

function isDrawnAllTheSame({ vector }: Leak): boolean {
  const [what = "", way = ""] = vector.split(/, (?=by |over )/);
  return DRAWN_ALL_THE_SAME.has(what) && way !== "over the network";
}

for (const [what, seal, ways] of CASES) {
  test(`nothing is fetched or read ${what}`, async () => {
    const hidden = seal.cleaned || (seal.isolated && hasOwnMounts());
    const found = await leaksOf(seal, { ways });
    expect(found.filter((leak) => hidden || !isDrawnAllTheSame(leak))).toEqual([]);
  });
}

test("nothing is fetched or read for rendered documents with the network", async () => {
  const seal = { cleaned: true, hardened: true, isolated: false };
  expect(await leaksOf(seal, { ways: ALL_WAYS, rendered: true })).toEqual([]);
});

test("nothing is fetched or read for rendered documents without any layer", async () => {
  const seal = { cleaned: false, hardened: false, isolated: false };
  // Rendered documents keep the files of embedded objects. They are removed only from the copy for LibreOffice.
  const vectors = Object.keys(VECTORS).filter((name) => !(name in OBJECT_VECTORS));
  expect(await leaksOf(seal, { ways: ALL_WAYS, vectors, rendered: true })).toEqual([]);
});

test("nothing is fetched or read for embedded objects in rendered documents with cleaning only", async () => {
  const seal = { cleaned: true, hardened: false, isolated: false };
  const vectors = Object.keys(OBJECT_VECTORS);
  expect(await leaksOf(seal, { ways: ALL_WAYS, vectors, rendered: true })).toEqual([]);
});

test.skipIf(!hasOwnMounts())(
  "nothing is fetched or read by a process that sees neither network nor files (skipped where the system has no namespaces)",
  async () => {
    const seal = { cleaned: false, hardened: false, isolated: true };
    expect(await leaksOf(seal, { ways: [...ALL_WAYS, "through another process"] })).toEqual([]);
  },
);

test.skipIf(!confinement().files || !confinement().calls)(
  "nothing is fetched or read by a process that gave up network and files itself (skipped where the system has no Landlock)",
  async () => {
    const seal = { cleaned: false, hardened: false, isolated: true, withoutNamespaces: true };
    expect(await leaksOf(seal, { ways: [...ALL_WAYS, "through another process"] })).toEqual([]);
  },
  240_000,
);

test.skipIf(networkIsolation() === "none")(
  "nothing is fetched by a process that only lacks a network (skipped where the system has no namespaces)",
  async () => {
    const seal = { cleaned: false, hardened: false, isolated: true };
    expect(await leaksOf(seal, { ways: ["over the network"] })).toEqual([]);
  },
);

test("nothing is fetched or read by LibreOffice as WebAssembly, which has no other layer", async () => {
  const ways: readonly Way[] = [...ALL_WAYS, "through another process"];
  const seal = { cleaned: false, hardened: false, isolated: false };
  const vectors = Object.keys(VECTORS).filter((_, at) => ALL || at % 3 === 0);
  expect(await leaksOf(seal, { ways, vectors, mode: "wasm" })).toEqual([]);
});

test("documents leak without any layer, so the other tests are meaningful", async () => {
  const ways: readonly Way[] = [...ALL_WAYS, "through another process"];
  const seal = { cleaned: false, hardened: false, isolated: false };
  const found = await leaksOf(seal, { ways });
  const by = (way: Way) => found.filter(({ vector }) => vector.endsWith(way));
  const release = Number.parseInt(await sofficeVersion((await findSoffice()) ?? ""), 10);
  for (const way of ways) {
    // LibreOffice 26.8 does not follow links to a network or to pictures by default.
    const mayHold = way === "over the network" && release >= 26;
    if (!mayHold) expect([way, by(way).length > 0]).toEqual([way, true]);
  }
  const vector = release >= 26 ? "a chunk of HTML with a picture" : "a picture by link";
  const picture = { ways: ["by a file's address"], vectors: [vector] } as const;
  expect(await leaks(seal, picture)).toEqual([
    { vector: `${vector}, by a file's address`, what: "the picture" },
  ]);
});
