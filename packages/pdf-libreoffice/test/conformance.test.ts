import { converterConformance } from "@quire/core/conformance";
import { libreOffice } from "../src/index.ts";
import { textDocx } from "./docx.ts";
import { slowTest } from "./laboratory.ts";

converterConformance({
  test: slowTest,
  fixture: () => ({ converter: libreOffice({ lanes: 2 }), document: textDocx("Hello, Quire") }),
});
