/**
 * Tests that a tenant with slow documents leaves a lane to others. For other numbers of lanes, see
 * `tenants.long.test.ts`.
 */
import { expect } from "vitest";
import { hangingDocx, textDocx } from "./docx.ts";
import { laneOf, officesIn, sharedOffice, slowTest, untilHanging } from "./laboratory.ts";
import { warm } from "./supervised.ts";
import { sendSlow } from "./tenants.ts";

const office = sharedOffice({ lanes: 2 });

slowTest(
  "a tenant's slow documents never occupy all lanes, so other tenants do not wait",
  async () => {
    await warm(office, 2);
    const slow = sendSlow(
      office,
      Array.from({ length: 6 }, (_, number) => hangingDocx(`${number}`)),
    );
    const hanging = await untilHanging(office.tempDir);
    for (let number = 0; number < 5; number++) {
      const mine = office.convert(textDocx(`Mine ${number}`), { tenant: "other", group: "batch" });
      expect((await mine).pages).toBe(1);
    }
    expect(slow.ended()).toBe(0);
    expect(officesIn(office.tempDir).map(laneOf)).toContain(laneOf(hanging));
    await slow.giveUp();
  },
);
