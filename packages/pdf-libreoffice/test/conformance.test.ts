import { converterConformance } from "@quire/conformance";
import type { Converter } from "@quire/contracts";
import { libreOffice } from "../src/index.ts";
import { textDocx } from "./docx.ts";
import { fakeSoffice, sharedOffice, slowTest, testFolder, WRITES_PAGE } from "./laboratory.ts";

// The cache is off, because a cached result would be returned before an abort takes effect.
const OPTIONS = { lanes: 2, cacheMb: 0 };

const shared = sharedOffice(OPTIONS);

/**
 * The case about closing during a conversion starts a separate LibreOffice. The other cases about closing use a
 * program that imitates LibreOffice. All other cases share one LibreOffice, which the suite cannot close.
 */
conformance(
  (name) => !isAboutClosing(name),
  () => ({ convert: shared.convert, close: async () => {} }),
);
conformance(isWhileWorking, () => libreOffice({ ...OPTIONS, lanes: 1 }));
conformance(
  (name) => isAboutClosing(name) && !isWhileWorking(name),
  async () => {
    const sofficePath = await fakeSoffice(await testFolder(), WRITES_PAGE);
    return libreOffice({ ...OPTIONS, lanes: 1, mode: "fresh", sofficePath });
  },
);

function isAboutClosing(name: string): boolean {
  return /\bclos(e|es|ed|ing)\b/.test(name);
}

function isWhileWorking(name: string): boolean {
  return name.startsWith("close waits");
}

function conformance(
  chosen: (name: string) => boolean,
  open: () => Converter | Promise<Converter>,
): void {
  converterConformance({
    test: (name, body) => {
      if (chosen(name)) slowTest(name, body);
    },
    fixture: async () => {
      const converter = await open();
      const document = textDocx("Hello, Quire");
      await converter.convert(document); // a conversion that waits for the first start does not run yet
      return { converter, document };
    },
  });
}
