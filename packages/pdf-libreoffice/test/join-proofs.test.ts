import { expect, test } from "vitest";
import { JoinProofs } from "../src/supervisor/join-proofs.ts";

const LANE = { version: "7.4.7.2", fonts: "a" };

test("forms are proven for lanes with the same release and fonts, and for no other group", () => {
  const proofs = new JoinProofs();
  proofs.add("letters", LANE, [1, 2]);
  proofs.add("letters", LANE, [2, 3]);
  expect(proofs.of("letters", { ...LANE })).toEqual([1, 2, 3]);
  expect(proofs.of("bills", LANE)).toEqual([]);
  expect(proofs.of("letters", { ...LANE, version: "25.2.3.2" })).toEqual([]);
  expect(proofs.of("letters", { ...LANE, fonts: "b" })).toEqual([]);
});

test("nothing is proven for a lane whose fonts are unknown", () => {
  const proofs = new JoinProofs();
  const lane = { ...LANE, fonts: null };
  proofs.add("letters", lane, [1]);
  expect(proofs.of("letters", lane)).toEqual([]);
});

test("a lane cannot report any number of forms", () => {
  const proofs = new JoinProofs();
  proofs.add(
    "letters",
    LANE,
    Array.from({ length: 100_000 }, (_, form) => form),
  );
  expect(proofs.of("letters", LANE)).toHaveLength(5_000);
});
