/**
 * The thread that runs LibreOffice as WebAssembly. It blocks during a conversion, and forever if LibreOffice stalls.
 */
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";
import { parentPort, workerData } from "node:worker_threads";
import type { WasmAnswer, WasmRequest, WasmStart } from "./wasm-office.ts";

const { packageFolder, loader, fonts }: WasmStart = workerData;
// Loaded from the path that was found, because an import by name would search other places.
const entry = pathToFileURL(join(packageFolder, "dist", "server.js")).href;
const { createConverter }: typeof import("@matbee/libreoffice-converter/server") = await import(
  entry
);
const converter = await createConverter({
  wasmLoader: createRequire(import.meta.url)(loader),
  fonts: await Promise.all(
    fonts.map(async (file, number) => ({
      filename: `${number}-${basename(file)}`, // two folders may contain files with the same name
      data: await readFile(file),
    })),
  ),
});

parentPort?.on("message", ({ docx, filterOptions }: WasmRequest) => {
  converter
    .convert(docx, { inputFormat: "docx", outputFormat: "pdf", filterOptions })
    .then(({ data }) => answer({ pdf: data }))
    .catch((error: unknown) => answer({ problem: String(error) }));
});
answer({ ready: true });

function answer(message: WasmAnswer): void {
  parentPort?.postMessage(message);
}
