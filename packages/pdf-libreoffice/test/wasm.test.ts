/** LibreOffice as WebAssembly, from its npm package, if no native LibreOffice is installed. */
import { expect, test } from "vitest";
import { findOffice } from "../src/find-office.ts";
import { libreOffice } from "../src/index.ts";
import { findSoffice } from "../src/office/soffice.ts";
import { findWasmPackage } from "../src/wasm/package.ts";
import { textDocx } from "./docx.ts";
import { closing, processesWith, rejection, testFolder } from "./laboratory.ts";
import { look } from "./pdf-look.ts";

/** LibreOffice sometimes stalls during its start, and is restarted. */
const START_LIMIT_MS = 300_000;

test(
  "converts a document to a PDF, and leaves nothing behind",
  async () => {
    const tempDir = await testFolder();
    await using office = closing(libreOffice({ mode: "wasm", lanes: 1, tempDir, cacheMb: 0 }));
    const { bytes, pages, fingerprint } = await office.convert(textDocx("first"));
    expect(pages).toBe(1);
    expect((await look(bytes)).text.join("")).toContain("first");
    expect(fingerprint).toMatchObject({ program: expect.stringContaining("WebAssembly") });
    await office.close();
    expect(processesWith(tempDir)).toEqual([]);
  },
  START_LIMIT_MS,
);

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
