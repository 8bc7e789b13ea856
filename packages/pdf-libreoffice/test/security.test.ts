import { readFileSync } from "node:fs";
import { readFile, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import libreOfficeConvert from "libreoffice-convert";
import { PDFDict, PDFDocument, PDFName, PDFStream } from "pdf-lib";
import { expect, onTestFinished, test } from "vitest";
import { laneEnvironment } from "../src/environment.ts";
import { libreOffice } from "../src/index.ts";
import { assertConvertible } from "../src/input.ts";
import { DOCX_MAIN, docxParts, hangingDocx, linkedImageDocx, textDocx, zip } from "./docx.ts";
import {
  closing,
  fakeSoffice,
  laneDirectories,
  processesWith,
  rejection,
  slowTest,
  testFolder,
  until,
} from "./laboratory.ts";

const PIXEL = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

slowTest("an image behind a link is neither fetched nor read from the disk", async () => {
  const tempDir = await testFolder();
  const { address, requests } = await canary();
  const path = join(tempDir, "secret.png");
  await writeFile(path, PIXEL);
  const remote = linkedImageDocx(address);
  const local = linkedImageDocx(pathToFileURL(path).href);

  await using office = closing(libreOffice({ lanes: 1, tempDir }));
  for (const document of [remote, local, remote, local]) {
    expect(await imageCount((await office.convert(document)).bytes)).toBe(0);
  }
  expect(requests).toEqual([]);

  // The same documents in a LibreOffice that nobody hardened: the check can fail.
  expect(await imageCount(await convertUnguarded(remote))).toBeGreaterThan(0);
  expect(await imageCount(await convertUnguarded(local))).toBeGreaterThan(0);
  expect(requests).not.toEqual([]);
});

slowTest("LibreOffice sees nothing of the host's environment but what is allowed", async () => {
  const tempDir = await testFolder();
  process.env.QUIRE_CANARY = "secret";
  onTestFinished(() => {
    delete process.env.QUIRE_CANARY;
  });
  await using office = closing(libreOffice({ lanes: 1, tempDir }));
  const controller = new AbortController();
  const running = rejection(office.convert(hangingDocx(), { signal: controller.signal }));
  const program = () => processesWith(tempDir).find(({ command }) => /soffice\.bin/.test(command));
  await until("LibreOffice runs", program);
  const environments = processesWith(tempDir).map(({ pid }) =>
    readFileSync(`/proc/${pid}/environ`, "utf8"),
  );
  controller.abort();
  await running;
  expect(environments.length).toBeGreaterThanOrEqual(2);
  for (const environment of environments) {
    expect(environment).not.toContain("QUIRE_CANARY");
    const names = environment.split("\0").map((line) => line.split("=")[0]);
    const expected = [...Object.keys(laneEnvironment({ home: "/h", temp: "/t" })), ...OWN, ""];
    expect(names.filter((name) => name !== undefined && !expected.includes(name))).toEqual([]);
    expect(environment).toContain(`HOME=${tempDir}`);
    expect(environment).toContain(`TMPDIR=${tempDir}`);
  }
});

/** What node, the shell and LibreOffice's start script add themselves. */
const OWN = ["NODE_CHANNEL_FD", "NODE_CHANNEL_SERIALIZATION_MODE", "PWD", "OLDPWD", "SHLVL", "_"];
OWN.push("SAL_ENABLE_FILE_LOCKING", "LC_ALL", "OOO_FORCE_DESKTOP");

slowTest("a lane's folder is nobody else's", async () => {
  const tempDir = await testFolder();
  await using office = closing(libreOffice({ lanes: 1, tempDir }));
  await office.convert(textDocx("private"));
  const [lane = ""] = await laneDirectories(tempDir);
  expect((await stat(join(tempDir, lane))).mode & 0o777).toBe(0o700);
});

slowTest("LibreOffice runs under the memory limit and without core dumps", async () => {
  const tempDir = await testFolder();
  const limits = join(tempDir, "limits");
  const sofficePath = await fakeSoffice(tempDir, `{ ulimit -v; ulimit -c; } >'${limits}'`);
  await using office = closing(libreOffice({ tempDir, sofficePath, memoryLimitMb: 1000 }));
  await rejection(office.convert(textDocx("small")));
  expect(await readFile(limits, "utf8")).toBe("1024000\n0\n");
});

slowTest("a docx that also claims to be an OpenDocument text is not opened as one", async () => {
  const odt = "application/vnd.oasis.opendocument.text";
  const office = "urn:oasis:names:tc:opendocument:xmlns:office:1.0";
  const polyglot = zip({
    mimetype: odt,
    "content.xml": `<office:document-content xmlns:office="${office}"><office:body><office:text>
      <text:p xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0">ODF</text:p>
      </office:text></office:body></office:document-content>`,
    "META-INF/manifest.xml": `<m:manifest xmlns:m=
      "urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"><m:file-entry m:full-path="/"
      m:media-type="${odt}"/></m:manifest>`,
    ...docxParts("<w:p/><w:p><w:r><w:br w:type='page'/></w:r></w:p><w:p/>"),
  });
  await using converter = closing(libreOffice({ lanes: 1, tempDir: await testFolder() }));
  expect((await converter.convert(polyglot)).pages).toBe(2); // the docx has two, the ODF has one
});

test("only a docx may go to LibreOffice", async () => {
  const text = textDocx("fine");
  const withType = (type: string) => {
    const parts = docxParts("<w:p/>");
    const types = parts["[Content_Types].xml"] ?? "";
    return zip({ ...parts, "[Content_Types].xml": types.replace(DOCX_MAIN, type) });
  };
  const { "[Content_Types].xml": _, ...untyped } = docxParts("<w:p/>");
  const compound = Buffer.concat([Buffer.from("d0cf11e0a1b11ae1", "hex"), text]);
  const refused = {
    macros: withType("application/vnd.ms-word.document.macroEnabled.main+xml"),
    sheet: withType("application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"),
    untyped: zip(untyped),
    compound,
    prefixed: Buffer.concat([Buffer.from("<html></html>"), text]),
    cut: text.subarray(0, -30),
    empty: zip({}),
  };
  expect(() => assertConvertible(text)).not.toThrow();
  for (const [name, bytes] of Object.entries(refused)) {
    const error = await rejection((async () => assertConvertible(bytes))());
    expect([name, error.code]).toEqual([name, "conversion_failed"]);
  }
});

/** A web server that notes whatever is asked of it. */
async function canary(): Promise<{ address: string; requests: string[] }> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    response.setHeader("content-type", "image/png").end(PIXEL);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    server.close();
  });
  const bound = server.address();
  if (bound === null || typeof bound === "string") throw new Error("The server has no port.");
  return { address: `http://127.0.0.1:${bound.port}/secret.png`, requests };
}

function convertUnguarded(document: Uint8Array): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    libreOfficeConvert.convertWithOptions(
      Buffer.from(document),
      "pdf",
      undefined,
      { fileName: "document.docx" },
      (error, pdf) => (error ? reject(error) : resolve(pdf)),
    );
  });
}

async function imageCount(pdf: Uint8Array): Promise<number> {
  const { context } = await PDFDocument.load(pdf, { updateMetadata: false });
  return context.enumerateIndirectObjects().filter(([, object]) => {
    const dictionary = object instanceof PDFStream ? object.dict : object;
    if (!(dictionary instanceof PDFDict)) return false;
    return dictionary.get(PDFName.of("Subtype")) === PDFName.of("Image");
  }).length;
}
