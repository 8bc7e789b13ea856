/** A host process for `processes.test.ts`: converts once and then ends, or is killed, unclosed. */
import { libreOffice } from "../src/index.ts";
import { textDocx } from "./docx.ts";

const [tempDir = "", sofficePath] = process.argv.slice(2);
const converter = libreOffice({
  lanes: 1,
  tempDir,
  ...(sofficePath === undefined ? {} : { sofficePath }),
});
const { pages } = await converter.convert(textDocx("from a host that does not close"));
process.stdout.write(`pages ${pages}\n`);
