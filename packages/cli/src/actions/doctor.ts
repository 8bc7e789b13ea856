import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { link, mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { ConverterSeal } from "@quire/core/host";
import {
  type Diagnosis,
  diagnose,
  findSoffice,
  findWasmPackage,
  INSTALL_HINT,
  sofficeVersion,
  TESTED_RELEASES,
} from "@quire/pdf-libreoffice";
import { isS3 } from "../files/s3-place.ts";
import { EXIT } from "../terminal/exit.ts";
import { type CommandIo, pathIn, writeLine } from "../terminal/io.ts";
import { checkBucket, type Finding } from "./check-bucket.ts";
import { checkDatabase } from "./check-database.ts";

const MINIMUM_NODE = [22, 13] as const;

/** Fonts with the same metrics as the fonts that most Word documents use. */
const FONTS = [
  { name: "Carlito", replaces: "Calibri", package: "fonts-crosextra-carlito" },
  { name: "Caladea", replaces: "Cambria", package: "fonts-crosextra-caladea" },
  {
    name: "Liberation Sans",
    replaces: "Arial, Times New Roman, Courier New",
    package: "fonts-liberation",
  },
] as const;

/** The flags of `quire doctor`. */
export interface DoctorOptions {
  readonly out: string;
  readonly soffice?: string;
  readonly database?: string;
  readonly directDatabase?: string;
  readonly databaseSchema?: string;
}

/** Checks the machine and prints one line for each check. Sets the exit code. */
export async function doctor(io: CommandIo, options: DoctorOptions): Promise<void> {
  const { out, soffice, database } = options;
  const checks = [
    checkNode(),
    checkSoffice(io, soffice),
    checkFonts(),
    checkFolder("temporary folder", tmpdir(), tmpdir()),
    isS3(out) ? checkBucket(io, out) : checkFolder("output folder", out, pathIn(io, out)),
    database === undefined ? [] : checkDatabase({ ...options, database }),
  ];
  const findings = (await Promise.all(checks)).flat();
  const signs = { ok: "ok      ", warning: "warning ", problem: "PROBLEM " };
  for (const { level, what, fix } of findings) {
    writeLine(io.stdout, `${signs[level]}${what}${fix === undefined ? "" : `\n        ${fix}`}`);
  }
  if (findings.some(({ level }) => level === "problem")) io.exitCode = EXIT.nothingRan;
}

async function checkNode(): Promise<Finding> {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  const [wantedMajor, wantedMinor] = MINIMUM_NODE;
  const what = `Node ${process.versions.node}`;
  if (major > wantedMajor || (major === wantedMajor && minor >= wantedMinor)) {
    return { level: "ok", what };
  }
  return { level: "problem", what, fix: `Quire needs Node ${MINIMUM_NODE.join(".")} or newer.` };
}

async function checkSoffice(io: CommandIo, sofficePath: string | undefined): Promise<Finding[]> {
  const path = await findSoffice(
    sofficePath === undefined ? {} : { sofficePath: pathIn(io, sofficePath) },
  );
  if (path === null && sofficePath !== undefined) {
    return [
      {
        level: "problem",
        what: `There is no LibreOffice program at ${sofficePath}.`,
        fix: "Correct --soffice or leave it out.",
      },
    ];
  }
  if (path === null && findWasmPackage() !== null) return checkWasm();
  if (path === null) {
    return [
      {
        level: "problem",
        what: "LibreOffice was not found. Quire can make .docx files, but not PDFs.",
        fix: `${INSTALL_HINT} Or set its path with --soffice.`,
      },
    ];
  }
  try {
    const version = await sofficeVersion(path);
    return [
      { level: "ok", what: `LibreOffice ${version} at ${path}` },
      testedRelease(version),
      ...conversionFindings(await diagnose({ sofficePath: path })),
    ];
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return [
      {
        level: "problem",
        what: `LibreOffice at ${path} does not respond: ${reason}`,
        fix: "Reinstall LibreOffice.",
      },
    ];
  }
}

function testedRelease(version: string): Finding {
  const tested = `${TESTED_RELEASES.slice(0, -1).join(", ")} and ${TESTED_RELEASES.at(-1)}`;
  if (TESTED_RELEASES.some((release) => version.startsWith(`${release}.`))) {
    return { level: "ok", what: `release: Quire is tested with LibreOffice ${tested}` };
  }
  return {
    level: "warning",
    what: `release: Quire is not tested with this release of LibreOffice, only with ${tested}.`,
    fix: "Look at some PDFs before you use them.",
  };
}

async function checkWasm(): Promise<Finding[]> {
  const { mode, problem, tempDir } = await diagnose();
  if (mode !== "wasm") {
    return [
      { level: "problem", what: `LibreOffice as WebAssembly cannot convert documents: ${problem}` },
    ];
  }
  return [
    {
      level: "warning",
      what:
        "conversion: LibreOffice is not installed, so its WebAssembly build is used. It is 1.5 to 2 times slower, needs " +
        "1.5 GB of memory for each concurrent document, must sometimes be restarted, and has only its own fonts.",
      fix: INSTALL_HINT,
    },
    {
      level: "ok",
      what: "network, files: LibreOffice as WebAssembly has no direct access",
    },
    { level: "ok", what: `temporary files of conversions are in ${tempDir}` },
  ];
}

/** The findings of a real conversion: its mode, and how well LibreOffice is isolated. */
function conversionFindings(diagnosis: Diagnosis): Finding[] {
  const { mode, problem, isolation, seal, tempDir } = diagnosis;
  const conversion: Finding =
    mode === "warm"
      ? {
          level: "ok",
          what: "conversion: LibreOffice keeps running and converts one document after another",
        }
      : mode === "fresh"
        ? {
            level: "warning",
            what: `conversion: LibreOffice starts for each document, which is 20 to 50 times slower: ${problem}`,
            fix: "Check that /tmp is writable and that LibreOffice Writer is complete (with Basic).",
          }
        : { level: "problem", what: `conversion: no document could be converted: ${problem}` };
  const tried = seal === null ? [] : sealFindings(seal);
  const namespaces = { level: "ok", what: `namespaces: ${isolation}` } as const;
  const folder = { level: "ok", what: `temporary files of conversions are in ${tempDir}` } as const;
  return [conversion, ...joiningFindings(diagnosis), ...tried, namespaces, folder];
}

function joiningFindings({ mode, notJoined }: Diagnosis): Finding[] {
  if (mode !== "warm") return [];
  if (notJoined === null) {
    return [{ level: "ok", what: "batches: LibreOffice converts documents of a batch together" }];
  }
  return [
    {
      level: "warning",
      what: `batches: LibreOffice converts the documents of a batch one by one, which takes about twice as long: ${notJoined}`,
      fix: `The PDFs are correct. A release with which Quire is tested may be faster: ${TESTED_RELEASES.join(", ")}.`,
    },
  ];
}

/** The layers of the seal, each with the message if it works, the message if it does not, and the fix. */
const LAYERS: readonly (readonly [
  layer: keyof ConverterSeal,
  holds: string,
  not: string,
  fix: string,
])[] = [
  [
    "cleaned",
    "documents: links are removed before conversion",
    "documents: links are not removed before conversion.",
    "This is a bug in Quire. Please report it.",
  ],
  [
    "hardened",
    "links: LibreOffice did not follow a test link",
    "links: LibreOffice followed a test link.",
    "Its system-wide settings override Quire's. Make sure that they do not allow links, or reinstall LibreOffice.",
  ],
  [
    "network",
    "network: LibreOffice has no access",
    "network: LibreOffice has access.",
    "Allow user namespaces (unshare), install perl for a system call filter, or disconnect the container from the network.",
  ],
  [
    "files",
    "files: LibreOffice sees only the system's programs and fonts, and a private folder",
    "files: LibreOffice sees all files that your user sees.",
    "Allow user namespaces and mounts, or use a Linux kernel with Landlock (5.13 or later) and install perl. Otherwise, run Quire as a separate user.",
  ],
  [
    "processes",
    "processes: LibreOffice can neither see nor signal other processes",
    "processes: LibreOffice sees other processes and can kill your user's processes.",
    "Allow user namespaces and mounts, or use a Linux kernel with Landlock (5.13 or later) and install perl.",
  ],
  [
    "calls",
    "system calls: a filter allows only the necessary calls; LibreOffice cannot start programs",
    "system calls: no filter is active. LibreOffice can make all calls and start programs.",
    "Install perl, and make sure that the container does not forbid seccomp. The filter supports x86-64 and arm64.",
  ],
  [
    "room",
    "temporary files: their total size is limited",
    "temporary files: the size of each file is limited, but not their total size.",
    "Allow user namespaces and mounts, or limit the size of the folder for temporary files.",
  ],
];

function sealFindings(seal: ConverterSeal): Finding[] {
  return LAYERS.map(([layer, holds, not, fix]) =>
    seal[layer] ? { level: "ok", what: holds } : { level: "warning", what: not, fix },
  );
}

async function checkFonts(): Promise<Finding[]> {
  let families: string;
  try {
    const { stdout } = await promisify(execFile)("fc-list", [":", "family"], { timeout: 20_000 });
    families = stdout;
  } catch {
    return [
      {
        level: "warning",
        what: "The fonts could not be listed (fc-list was not found).",
        fix: "Install the fontconfig package so that Quire can check the fonts.",
      },
    ];
  }
  return FONTS.map(({ name, replaces, package: debian }) =>
    families.includes(name)
      ? { level: "ok", what: `font ${name} (replaces ${replaces})` }
      : {
          level: "warning",
          what: `The font ${name} is missing: PDFs of documents that use ${replaces} will be laid out differently from Word.`,
          fix: `Debian, Ubuntu: apt-get install ${debian}.`,
        },
  );
}

/** Tries the operations that a batch needs in a folder: write a file, sync it, and add a hard link. */
async function checkFolder(role: string, shown: string, path: string): Promise<Finding> {
  let probe: string | null = null;
  try {
    probe = await mkdtemp(join(path, ".quire-doctor-"));
    const file = join(probe, randomUUID());
    const handle = await open(file, "wx");
    await handle.writeFile("quire");
    await handle.sync();
    await handle.close();
    await link(file, `${file}.link`);
    return { level: "ok", what: `${role} ${shown}: writable, fsync and hard links work` };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return {
      level: "problem",
      what: `${role} ${shown}: ${reason}`,
      fix: "Use a folder that you can write to, on a file system that supports hard links.",
    };
  } finally {
    if (probe !== null) await rm(probe, { recursive: true, force: true });
  }
}
