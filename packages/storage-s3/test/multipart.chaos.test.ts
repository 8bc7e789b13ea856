import { beforeAll, describe, test } from "vitest";
import { EVERY, makesOneObject } from "./support/met.ts";
import { makePlace, type Place, START_TIMEOUT_MS } from "./support/place.ts";

let versioned: Place;

beforeAll(async () => {
  versioned = await makePlace("versioned");
}, START_TIMEOUT_MS);

describe("s3Storage: a multipart upload that meets", () => {
  test.for(EVERY)("%s at %s creates one object, once", async ([, , which, fault], context) => {
    await makesOneObject(versioned, context, which, fault);
  });
});
