import { describe, test } from "vitest";
import { expectNothingLost } from "./support/crash.ts";

describe("A service that is killed again and again", () => {
  test(
    "makes each document of accepted batches once, and starts no batch twice with an idempotency key",
    () => expectNothingLost(8),
    240_000,
  );
});
