// Runs a batch of letters, as docx and as PDF. The argument is the folder for the letters.
import assert from "node:assert/strict";
import { mkdir, readdir, readFile } from "node:fs/promises";
import { createEngine } from "@quire/core";
import { sqliteJobStore } from "@quire/jobs-sqlite";
import { libreOffice } from "@quire/pdf-libreoffice";
import { fsStorage } from "@quire/storage-fs";

async function main() {
  const letters = process.argv[2];
  await mkdir(letters);
  const letter = JSON.parse(await readFile("letter.json", "utf8"));
  const engine = createEngine({
    storage: fsStorage({ root: "." }),
    jobs: sqliteJobStore({ path: `${letters}.db` }),
    converter: libreOffice({ lazy: true }),
  });
  for (const type of ["docx", "pdf"]) {
    const batch = await engine.createBatch({
      file: { type: "file", id: "letter.docx" },
      input_source: "api",
      destination_folder: { type: "folder", id: letters },
      output_type: type,
      // For a large batch, the engine lists the folder.
      document_generation_data: Array.from({ length: type === "docx" ? 40 : 2 }, (_, at) => ({
        generated_file_name: `letter-${at}`,
        user_input: letter,
      })),
    });
    for await (const { status, errors } of engine.jobs(batch.id)) {
      assert.equal(status, "completed", JSON.stringify(errors));
    }
  }
  await engine.close();
  const files = await readdir(letters);
  assert.equal(files.filter((name) => name.endsWith(".docx")).length, 40);
  assert.equal(files.filter((name) => name.endsWith(".pdf")).length, 2);
  console.log("made all letters");
}

void main();
