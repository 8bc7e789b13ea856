import { test } from "vitest";
import { fuzzService } from "./fuzz-service.ts";

// Other statuses are too rare for 400 requests.
test("400 requests of every kind get a response without a 5xx, and the service still works", () =>
  fuzzService(400, [200, 201, 204, 400, 401, 403, 404, 405, 415]));
