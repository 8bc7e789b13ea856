import { describe, test } from "vitest";
import { expectNothingLost } from "./support/crash.ts";

describe("A service that is killed again and again", () => {
  test(
    "does what it said yes to, each document once, and with an idempotency key nothing twice",
    () => expectNothingLost(8),
    240_000,
  );
});
