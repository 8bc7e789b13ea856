import { readFileSync } from "node:fs";
import { programUrl } from "@quire/contracts";
import { expect, test } from "vitest";

test("finds a program of the package by the path from a module, with the module's extension", () => {
  const url = programUrl("./program-url.test", import.meta.url);
  expect(readFileSync(url, "utf8")).toContain("finds a program of the package");
});

test.each([
  ["the CommonJS bundle of esbuild has no import.meta.url", undefined],
  ["other bundles have the URL of the bundle", new URL("bundle.mjs", import.meta.url).href],
])("in a bundle, says that the packages must be external: %s", (_, moduleUrl) => {
  expect(() => programUrl("../process/pool-process", moduleUrl)).toThrow(
    expect.objectContaining({
      code: "unavailable",
      message: expect.stringContaining("mark all @quire/* packages as external"),
    }),
  );
});
