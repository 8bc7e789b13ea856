/** A host for `hosts.ts`. It uses a converter that it never closes. */
import { libreOffice } from "../dist/index.js";
import { hangingDocx, textDocx } from "./docx.ts";

const [tempDir = "", work = "once", sofficePath] = process.argv.slice(2);
const converter = libreOffice({
  lanes: 2,
  tempDir,
  cacheMb: 0,
  mode: work === "fresh" ? "fresh" : "warm",
  ...(sofficePath === undefined ? {} : { sofficePath }),
});
process.stdout.write("created\n");
if (work !== "start") {
  const { pages } = await converter.convert(textDocx("from a host that does not close"));
  process.stdout.write(`pages ${pages}\n`);
}
if (work === "hang") await converter.convert(hangingDocx(), { rendered: true });
if (work === "stay") setInterval(() => {}, 1000);
