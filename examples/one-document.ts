/** One document: compiles a template once, renders it with data and writes the file. */
import { readFile, writeFile } from "node:fs/promises";
import { compileTemplate } from "@quire/core";

const folder = new URL("./", import.meta.url);
const template = await compileTemplate(await readFile(new URL("templates/letter.docx", folder)));
const data = JSON.parse(await readFile(new URL("data/letter.json", folder), "utf8"));

const { bytes, warnings } = template.render(data);

for (const { message } of warnings) console.warn(message);
await writeFile("letter.docx", bytes);
console.log("letter.docx");
