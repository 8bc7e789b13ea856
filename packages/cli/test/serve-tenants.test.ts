import { describe, test } from "vitest";
import { expectServedBesideFlood } from "./support/flood.ts";

describe("A tenant that floods the service", () => {
  test(
    "does not keep another one from getting every request answered and every document made",
    () => expectServedBesideFlood({ senders: 20, rounds: 1 }),
    240_000,
  );
});
