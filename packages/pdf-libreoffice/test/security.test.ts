/** Tests what LibreOffice can access, and what input it gets. For links in documents, see `links.test.ts`. */
import { existsSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { getPriority } from "node:os";
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, onTestFinished, test, vi } from "vitest";
import { sealedConverter } from "../src/converter.ts";
import { libreOffice, networkIsolation } from "../src/index.ts";
import { laneEnvironment } from "../src/office/environment.ts";
import { hasOwnMounts } from "../src/office/launch.ts";
import { DOCX_MAIN, docxParts, textDocx, zip } from "./docx.ts";
import {
  closing,
  fakeSoffice,
  laneFolders,
  lanesIn,
  NO_MACROS,
  officesIn,
  processesWith,
  rejection,
  sharedOffice,
  slowTest,
  testFolder,
  until,
  WRITES_PAGE,
  workspaces,
} from "./laboratory.ts";
import { PICTURE_VECTORS } from "./picture-vectors.ts";

process.env.QUIRE_CANARY = "a secret of the host";
process.env.AWS_SECRET_ACCESS_KEY = "another one";

const shared = sharedOffice({ lanes: 1, memoryLimitMb: 2000 });

async function officePid(): Promise<number> {
  return (await until("LibreOffice runs", () => officesIn(shared.tempDir)[0])).pid;
}

slowTest(
  "LibreOffice and its lane see only allowed variables of the host's environment",
  async () => {
    await shared.convert(textDocx("first"));
    const processes = [...officesIn(shared.tempDir), ...lanesIn(shared.tempDir)];
    expect(processes).toHaveLength(2);
    for (const { pid } of processes) {
      const environment = readFileSync(`/proc/${pid}/environ`, "utf8");
      const names = environment.split("\0").map((line) => line.split("=")[0] ?? "");
      const expected = [...Object.keys(laneEnvironment({ home: "/h", temp: "/t" })), ...OWN, ""];
      expect(names.filter((name) => !expected.includes(name))).toEqual([]);
      expect(environment).not.toMatch(/secret|another one/);
      expect(environment).toContain(`HOME=${shared.tempDir}`);
      expect(environment).toContain(`TMPDIR=${shared.tempDir}`);
    }
  },
);

/** Variables that node, the shell and the lane add themselves. */
const OWN = ["NODE_CHANNEL_FD", "NODE_CHANNEL_SERIALIZATION_MODE", "PWD", "OLDPWD", "SHLVL", "_"];
OWN.push("GLIBC_TUNABLES", "FONTCONFIG_FILE");

slowTest("LibreOffice has no folder of programs in its PATH", async () => {
  const path = (pid: number) =>
    /(?:^|\0)PATH=([^\0]*)/.exec(readFileSync(`/proc/${pid}/environ`, "utf8"))?.[1];
  expect(path(await officePid())).toBe("/nonexistent");
});

slowTest(
  "LibreOffice passes no picture to programs in the PATH, protected only by profile and environment",
  async () => {
    const folder = await testFolder();
    const mark = join(folder, "was-run");
    const programs = ["gs", "pstoedit", "convert", "magick"];
    for (const name of programs) {
      const script = `#!/bin/sh\nread -r line\necho "$0 $line" >>'${mark}'\n`;
      await writeFile(join(folder, name), script, { mode: 0o755 });
    }
    vi.stubEnv("PATH", `${folder}:${process.env.PATH}`);
    onTestFinished(() => void vi.unstubAllEnvs());
    const seal = { cleaned: false, hardened: true, isolated: false };
    await using office = closing(sealedConverter({ lanes: 1, tempDir: folder, cacheMb: 0 }, seal));
    const nothing = join(folder, "nothing");
    const eps = PICTURE_VECTORS["an EPS picture that reads"];
    const document = await eps?.({ png: nothing, txt: nothing, html: nothing });
    await office.convert(document ?? new Uint8Array(), { rendered: true });
    expect(existsSync(mark)).toBe(false);
  },
);

slowTest("LibreOffice's process has the configured limits", async () => {
  const limits = readFileSync(`/proc/${await officePid()}/limits`, "utf8");
  const limit = (name: string) =>
    new RegExp(`^${name}\\s+(\\S+)\\s+(\\S+)`, "m").exec(limits)?.slice(1);
  expect(limit("Max address space")).toEqual([String(2000 * 1024 ** 2), String(2000 * 1024 ** 2)]);
  expect(limit("Max file size")).toEqual([String(1024 ** 3), String(1024 ** 3)]);
  expect(limit("Max core file size")).toEqual(["0", "0"]);
  expect(limit("Max cpu time")).toEqual(["14400", "14400"]);
  expect(getPriority(await officePid())).toBe(Math.max(10, getPriority()));
  const session = `/proc/${await officePid()}/autogroup`;
  if (existsSync(session)) expect(readFileSync(session, "utf8")).toContain("nice 10");
  if (networkIsolation() === "user namespace")
    expect(limit("Max processes")).toEqual(["256", "256"]);
});

test.skipIf(networkIsolation() === "none")(
  "LibreOffice has an isolated network without a connection (skipped where the system has no namespaces)",
  async () => {
    const pid = await officePid();
    expect(readlinkSync(`/proc/${pid}/ns/net`)).not.toBe(readlinkSync("/proc/self/ns/net"));
    const devices = readFileSync(`/proc/${pid}/net/dev`, "utf8").match(/^\s*\w+(?=:)/gm);
    expect(devices?.map((name) => name.trim())).toEqual(["lo"]);
    expect(readFileSync(`/proc/${pid}/net/route`, "utf8").trim().split("\n")).toHaveLength(1);
  },
  120_000,
);

test.skipIf(!hasOwnMounts())(
  "LibreOffice sees only the system and its own folder, and can change only its folder (skipped where the system has no namespaces)",
  async () => {
    const root = `/proc/${await officePid()}/root`;
    const [lane = ""] = await laneFolders(shared.tempDir);
    expect(readdirSync(root).sort()).toEqual(expect.arrayContaining(["etc", "proc", "tmp", "usr"]));
    for (const hidden of ["home", "root", "etc/shadow", "etc/hostname", process.cwd()]) {
      expect([hidden, existsSync(join(root, hidden))]).toEqual([hidden, false]);
    }
    const beside = readdirSync(join(root, shared.tempDir, ".."));
    expect(beside.filter((name) => !name.startsWith("OSL_PIPE_"))).toEqual([
      basename(shared.tempDir),
    ]);
    expect(readdirSync(join(root, lane)).sort()).toEqual(["home", "profile", "tmp", "work"]);
    const mounts = readFileSync(`${root}/proc/1/mountinfo`, "utf8").split("\n");
    const writable = mounts
      .map((line) => line.split(" "))
      .filter((fields) => fields[5]?.startsWith("rw"));
    const places = writable.map((fields) => fields[4] ?? "");
    expect(places.filter((place) => !/^\/proc/.test(place)).sort()).toEqual(
      [
        "/",
        lane,
        `/tmp/OSL_PIPE_0_${/pipe,name=(\w+)/.exec(officesIn(shared.tempDir)[0]?.command ?? "")?.[1]}`,
      ].sort(),
    );
    const capabilities = readFileSync(`/proc/${await officePid()}/status`, "utf8").match(
      /^Cap\w+:\s+0*$/gm,
    );
    expect(capabilities).toHaveLength(5);
  },
  120_000,
);

slowTest("files of LibreOffice and its lane are private to their user", async () => {
  await shared.convert(textDocx("private"));
  const [workspace = ""] = await workspaces(shared.tempDir);
  const [lane = ""] = await laneFolders(shared.tempDir);
  expect((await stat(workspace)).mode & 0o777).toBe(0o700);
  expect((await stat(lane)).mode & 0o777).toBe(0o700);
  const pid = await officePid();
  expect(/^Umask:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]).toBe("0077");
});

slowTest("fresh mode applies the same limits", async () => {
  const tempDir = await testFolder();
  const limits = join(tempDir, "limits");
  const sofficePath = await fakeSoffice(tempDir, `{ ulimit -v; ulimit -c; umask; } >'${limits}'`);
  await using office = closing(
    libreOffice({ lanes: 1, mode: "fresh", tempDir, sofficePath, memoryLimitMb: 1000 }),
  );
  await rejection(office.convert(textDocx("small")));
  expect(await readFile(limits, "utf8")).toBe("1024000\n0\n0077\n");
});

slowTest("LibreOffice does not write into folders that all users share", async () => {
  const tempDir = await testFolder();
  const log = join(tempDir, "starts");
  const sofficePath = await fakeSoffice(tempDir, `echo "$*" >>'${log}'\n${NO_MACROS}`);
  await using office = closing(libreOffice({ lanes: 1, tempDir, sofficePath }));
  await office.convert(textDocx("small"));
  const starts = (await readFile(log, "utf8")).split("\n");
  const own = `-env:UNO_SHARED_PACKAGES_CACHE=${pathToFileURL(tempDir).href}/quire-pdf-`;
  for (const kind of ["--terminate_after_init", "macro:", "--convert-to"]) {
    const ofKind = starts.filter((start) => start.includes(kind));
    expect(ofKind).not.toEqual([]);
    for (const start of ofKind) expect(start).toContain(own);
  }
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
  for (const rendered of [true, false]) {
    expect((await shared.convert(polyglot, { rendered })).pages).toBe(2); // the ODF has one
  }
});

slowTest("only Word documents are passed to LibreOffice, whether rendered or not", async () => {
  const text = textDocx("fine");
  const withType = (type: string) => {
    const parts = docxParts("<w:p/>");
    const types = parts["[Content_Types].xml"] ?? "";
    return zip({ ...parts, "[Content_Types].xml": types.replace(DOCX_MAIN, type) });
  };
  const { "[Content_Types].xml": _, ...untyped } = docxParts("<w:p/>");
  const encode = (words: string) => new TextEncoder().encode(words);
  const refused: Readonly<Record<string, Uint8Array>> = {
    sheet: withType("application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"),
    slides: withType(
      "application/vnd.openxmlformats-officedocument.presentationml.presentation.main+xml",
    ),
    untyped: zip(untyped),
    compound: Buffer.concat([Buffer.from("d0cf11e0a1b11ae1", "hex"), text]),
    prefixed: Buffer.concat([Buffer.from("<html></html>"), text]),
    cut: text.subarray(0, -30),
    "an empty archive": zip({}),
    nothing: new Uint8Array(),
    html: encode("<html><body>no document</body></html>"),
    rtf: encode("{\\rtf1\\ansi no document}"),
    text: encode("no document"),
    pdf: encode("%PDF-1.7\n%%EOF\n"),
    "flat ODF": encode(
      '<?xml version="1.0"?><office:document xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"/>',
    ),
  };
  for (const [name, bytes] of Object.entries(refused)) {
    for (const rendered of [true, false]) {
      const error = await rejection(shared.convert(bytes, { rendered }));
      expect([name, rendered, error.code]).toEqual([name, rendered, "conversion_failed"]);
      expect(error.message).toContain("was not passed to LibreOffice");
    }
  }
});

slowTest("macros in a document are removed with a warning", async () => {
  const parts = docxParts("<w:p><w:r><w:t>with macros</w:t></w:r></w:p>");
  const types = parts["[Content_Types].xml"] ?? "";
  const withMacros = zip({
    ...parts,
    "[Content_Types].xml": types.replace(
      DOCX_MAIN,
      "application/vnd.ms-word.document.macroEnabled.main+xml",
    ),
    "word/vbaProject.bin": "no macros really",
    "word/_rels/document.xml.rels":
      '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="m" ' +
      'Type="http://schemas.microsoft.com/office/2006/relationships/vbaProject" Target="vbaProject.bin"/></Relationships>',
  });
  const { pages, warnings } = await shared.convert(withMacros);
  expect(pages).toBe(1);
  expect(warnings.length).toBeGreaterThan(0);
});

slowTest("a folder of another user with the expected name is not used", async () => {
  const tempDir = await testFolder();
  const sofficePath = await fakeSoffice(await testFolder(), WRITES_PAGE);
  await using office = closing(
    libreOffice({ lanes: 1, mode: "fresh", tempDir, sofficePath, lazy: true }),
  );
  await mkdir(join(tempDir, `quire-pdf-${process.pid}-`), { mode: 0o777 });
  await office.convert(textDocx("first"));
  const [own = ""] = (await workspaces(tempDir)).filter((folder) => !folder.endsWith("-"));
  expect((await stat(own)).mode & 0o777).toBe(0o700);
  expect(await readdir(join(tempDir, `quire-pdf-${process.pid}-`))).toEqual([]);
  expect(processesWith(own)).not.toEqual([]);
});
