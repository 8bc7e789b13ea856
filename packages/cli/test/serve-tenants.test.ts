import { describe, test } from "vitest";
import { expectServedBesideFlood } from "./support/flood.ts";

describe("A tenant that floods the service", () => {
  test(
    "does not prevent another tenant from getting all its answers and documents",
    () => expectServedBesideFlood({ senders: 20, rounds: 1 }),
    240_000,
  );
});
