/** Tests that every part of the public API has a doc comment. */
import { expect, test } from "vitest";
import { entryPoints, undocumentedApi } from "../undocumented-api.ts";

/** Number of undocumented parts that are still allowed, by package. Numbers may be lowered, but never raised. */
const ALLOWED: Readonly<Record<string, number>> = {
  docx: 1,
  ooxml: 1,
  pdf: 2,
};

test("every exported name, its members and the types it uses have a doc comment", () => {
  const entries = entryPoints();
  expect(entries).toContain("packages/core/dist/host.d.ts");
  const found = Object.groupBy(undocumentedApi(entries), (part) => part.split("/")[1] ?? "");
  const tooMany = Object.entries(found).flatMap(([name, parts = []]) =>
    parts.length > (ALLOWED[name] ?? 0) ? parts : [],
  );
  expect(tooMany).toEqual([]);
});

test("the check finds members of every kind, through re-exports and the types that a declaration uses", () => {
  const files = {
    "packages/core/dist/index.d.ts": 'export { make, type Box as Crate } from "./box.js";',
    "packages/core/dist/box.d.ts": `
      import type { Side } from "./side.js";
      interface Base { readonly inherited: string }
      /** A box. */
      export interface Box<T extends { free: 1 } = never> extends Base {
        readonly type: "box";
        /** Documented. */
        readonly known: { readonly inner: T };
        readonly "quoted-name": Side;
        open(options: { readonly free: boolean }): { free: 1 };
        readonly call: (options: { readonly free: boolean }) => void;
      }
      /** A class. */
      declare class Shelf {
        #private;
        readonly name = "Shelf";
        constructor(options: { readonly free: boolean });
        get size(): number;
        [Symbol.dispose](): void;
      }
      export declare function make(): Shelf;`,
    "packages/core/dist/side.d.ts": `
      /** A side. */
      export type Side = { readonly type: "left" } | { readonly type: "right"; readonly at: number };
      export type Unused = string;`,
  };
  expect(undocumentedApi(["packages/core/dist/index.d.ts"], files)).toEqual([
    "packages/core/src/box.ts: Base",
    "packages/core/src/box.ts: Base.inherited",
    'packages/core/src/box.ts: Box."quoted-name"',
    "packages/core/src/box.ts: Box.call",
    "packages/core/src/box.ts: Box.known.inner",
    "packages/core/src/box.ts: Box.open",
    "packages/core/src/box.ts: Shelf.[Symbol.dispose]",
    "packages/core/src/box.ts: Shelf.size",
    "packages/core/src/box.ts: make",
    "packages/core/src/side.ts: Side.at",
  ]);
});
