import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Diagnostic } from "@quire/contracts";
import { programBehind } from "../office/launch.ts";

/** Whether LibreOffice is installed without its formula component, as with Debian's Writer package alone. */
export function lacksFormulas(soffice: string): boolean {
  const folder = dirname(programBehind(soffice));
  return existsSync(join(folder, "libswlo.so")) && !existsSync(join(folder, "libsmlo.so"));
}

const FORMULA = /<m:oMath[\s>]/;

/** Returns an error if the document has formulas, for a LibreOffice that cannot show them. */
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
