import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Diagnostic } from "@quire/core/host";
import { programBehind } from "../office/launch.ts";

/** Whether a LibreOffice comes without the part that shows formulas, as Debian's Writer alone does. */
export function lacksFormulas(soffice: string): boolean {
  const folder = dirname(programBehind(soffice));
  return existsSync(join(folder, "libswlo.so")) && !existsSync(join(folder, "libsmlo.so"));
}

const FORMULA = /<m:oMath[\s>]/;

/** What is wrong with the PDF of a document with formulas where LibreOffice cannot show them. */
export function formulaFindings(mainText: string): Diagnostic[] {
  if (!FORMULA.test(mainText)) return [];
  return [
    {
      severity: "error",
      code: "formulas_missing",
      message:
        "The document's formulas are missing from the PDF: this LibreOffice cannot show them.",
      hint: "Install LibreOffice Math: on Debian and Ubuntu `apt-get install --no-install-recommends libreoffice-math-nogui`.",
    },
  ];
}
