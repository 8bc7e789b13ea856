import { converterConformance } from "@quire/core/conformance";
import { libreOffice } from "../src/index.ts";
import { textDocx } from "./docx.ts";
import { slowTest } from "./laboratory.ts";

converterConformance({
  test: slowTest,
  fixture: async () => {
    // What is kept of a document would be there before an abort.
    const converter = libreOffice({ lanes: 2, cacheMb: 0 });
    const document = textDocx("Hello, Quire");
    await converter.convert(document); // one that waits for the first start does not run yet
    return { converter, document };
  },
});
