/** Tests that a document that takes long is stopped when others wait, if its caller allows it. */
import { isPreempted } from "@quire/contracts";
import { expect } from "vitest";
import { hangingDocx, textDocx } from "./docx.ts";
import { sharedOffice, slowTest, untilHanging } from "./laboratory.ts";
import { warm } from "./supervised.ts";

const office = sharedOffice({ lanes: 1, preemptAfterMs: 500 });

slowTest("a preemptible document is stopped when another batch waits, and not before", async () => {
  await warm(office, 1);
  const slow = office
    .convert(hangingDocx("Slow"), { tenant: "a", rendered: true, group: "slow", preemptible: true })
    .catch((error: unknown) => error);
  await untilHanging(office.tempDir);
  const same = office
    .convert(textDocx("Same batch"), {
      tenant: "a",
      rendered: true,
      group: "slow",
      preemptible: true,
    })
    .catch((error: unknown) => error);
  expect(
    await Promise.race([slow, new Promise((resolve) => setTimeout(resolve, 1_500, "runs"))]),
  ).toBe("runs");
  const quick = await office.convert(textDocx("Quick"), { tenant: "a", group: "quick" });
  expect(quick.pages).toBe(1);
  expect(isPreempted(await slow)).toBe(true);
  expect(await same).toMatchObject({ pages: 1 });
});
