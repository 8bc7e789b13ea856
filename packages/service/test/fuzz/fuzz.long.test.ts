import { test } from "vitest";
import { fuzzService } from "./fuzz-service.ts";

test(
  "12000 requests of every kind get a response without a 5xx, and the service still works",
  () => fuzzService(12_000, [200, 201, 202, 204, 400, 401, 403, 404, 405, 409, 412, 413, 415]),
  180_000,
);
