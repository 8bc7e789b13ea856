import type { Converter } from "@quire/core";
import { converterConformance } from "@quire/core/conformance";
import { libreOffice } from "../src/index.ts";
import { textDocx } from "./docx.ts";
import { sharedOffice, slowTest } from "./laboratory.ts";

// What is kept of a document would be there before an abort.
const OPTIONS = { lanes: 2, cacheMb: 0 };

const shared = sharedOffice(OPTIONS);

/** The cases about closing have a LibreOffice each; all others share one, which the suite cannot close. */
conformance(
  (name) => !isAboutClosing(name),
  () => ({ convert: shared.convert, close: async () => {} }),
);
conformance(isAboutClosing, () => libreOffice({ ...OPTIONS, lanes: 1 }));

function isAboutClosing(name: string): boolean {
  return /\bclos(es|ed|ing)\b/.test(name);
}

function conformance(chosen: (name: string) => boolean, open: () => Converter): void {
  converterConformance({
    test: (name, body) => {
      if (chosen(name)) slowTest(name, body);
    },
    fixture: async () => {
      const converter = open();
      const document = textDocx("Hello, Quire");
      await converter.convert(document); // one that waits for the first start does not run yet
      return { converter, document };
    },
  });
}
