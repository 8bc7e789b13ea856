/** Options that TypeScript would reject, as plain JavaScript passes them. */
import { createEngine, memoryStorage, renderInProcess } from "@quire/core";
import { createHttpHandler } from "@quire/http";
import { expect, test } from "vitest";
import { createService, staticTokens } from "../../src/index.ts";
import { memoryStores } from "../support/service.ts";

const valid = () => ({
  storage: memoryStorage(),
  stores: memoryStores(),
  authenticate: staticTokens([]),
});

test.each([
  [{ publicURL: "https://docs.example.com" }, "publicUrl"],
  [{ limits: { uploadByte: 1 } }, "uploadBytes"],
  [{ quotas: { file: 1 } }, "files"],
  [{ engine: { concurency: 1 } }, "concurrency"],
])("createService() rejects %j and suggests %s", async (wrong, meant) => {
  await expect(createService({ ...valid(), ...wrong } as never)).rejects.toMatchObject({
    code: "invalid_request",
    message: expect.stringContaining(`(did you mean "${meant}"?)`),
  });
});

test("createHttpHandler() rejects an unknown option and an unknown limit", async () => {
  await using engine = createEngine({ storage: memoryStorage(), renderer: renderInProcess() });
  const authenticate = async () => ({ id: "ann", tenant: "acme" });
  const create = (wrong: object) => () =>
    createHttpHandler(engine, { authenticate, ...wrong } as never);
  expect(create({ prefx: "/v1" })).toThrow(/createHttpHandler\(\) has no option "prefx".+"prefix"/);
  expect(create({ limits: { bodyByte: 1 } })).toThrow(/did you mean "bodyBytes"/);
  expect(create({})).not.toThrow();
});
