/** Tests when LibreOffice as WebAssembly is used. It starts slowly, so `wasm.chaos.test.ts` tests its conversions. */
import { expect, test } from "vitest";
import { findOffice } from "../src/find-office.ts";
import { findSoffice } from "../src/office/soffice.ts";
import { findWasmPackage } from "../src/wasm/package.ts";
import { rejection } from "./laboratory.ts";

test("is used if no LibreOffice is installed and no sofficePath is given", async () => {
  const nothing = async () => null;
  const auto = { mode: "auto", sofficePath: undefined } as const;
  expect(await findOffice(auto, nothing)).toEqual({ mode: "wasm", soffice: findWasmPackage() });
  expect(await findOffice(auto)).toEqual({ mode: "auto", soffice: await findSoffice() });
  const named = await rejection(findOffice({ ...auto, sofficePath: "/no/soffice" }, nothing));
  expect(named.message).toContain("/no/soffice");
  const warm = await rejection(findOffice({ ...auto, mode: "warm" }, nothing));
  expect(warm.code).toBe("unavailable");
});
