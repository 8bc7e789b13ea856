import { test } from "vitest";
import { fuzzService } from "./fuzz-service.ts";

// Other statuses are too seldom to be among so few.
test("400 requests of every kind are answered, none with a 5xx, and the service is as good as before", () =>
  fuzzService(400, [200, 201, 204, 400, 401, 403, 404, 405, 415]));
