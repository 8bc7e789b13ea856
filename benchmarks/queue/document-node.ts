/** A worker node of the benchmark, as a separate process: an engine that makes documents in a folder. */
import { createEngine } from "@quire/core";
import { libreOffice } from "@quire/pdf-libreoffice";
import { postgresStores } from "@quire/postgres";
import { fsStorage } from "@quire/storage-fs";

/** The options of a node that makes documents. */
export interface DocumentNodeOptions {
  readonly url: string;
  readonly schema: string;
  readonly folder: string;
  readonly output: "docx" | "pdf";
}

const { url, schema, folder, output } = JSON.parse(process.argv[2] ?? "") as DocumentNodeOptions;

createEngine({
  storage: fsStorage({ root: folder }),
  jobs: postgresStores({ url, schema }).jobs,
  ...(output === "pdf" ? { converter: libreOffice() } : {}),
});
