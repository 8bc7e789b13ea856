import { spawn } from "node:child_process";
import {
  access,
  constants,
  mkdir,
  mkdtemp,
  realpath,
  rm,
  stat,
  statfs,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { QuireError } from "@quire/contracts";
import { checkFontFolders, fontConfig, officeFontFolders } from "../fonts/font-config.ts";
import { laneEnvironment } from "../office/environment.ts";
import { type LaunchLimits, limitedCommand, programBehind } from "../office/launch.ts";
import { folderTrouble } from "../office/machine-trouble.ts";
import { ownerMark } from "../office/owner.ts";
import { killGroup } from "../office/process-group.ts";
import { isIntact, profileArguments, writeProfile } from "../office/profile.ts";
import { type Enclosure, findEnclosure } from "../office/readable.ts";
import type { Seal } from "../office/seal.ts";
import { leftoverSocket } from "../office/sockets.ts";
import { type Bounds, tryBounds } from "../office/try-bounds.ts";
import { isWasmReady, prepareWasm } from "../wasm/package.ts";
import { folderUnusable } from "./failures.ts";
import { FOLDER_PREFIX, MEMORY_FOLDER, removeLeftovers } from "./leftovers.ts";

const PREPARE_LIMIT_MS = 60_000;

/**
 * With less free space than this, a memory file system could overflow, so the system's temporary folder is used
 * instead.
 */
const MIN_MEMORY_BYTES = 512 * 1024 * 1024;

/**
 * Returns the default folder for temporary files: TMPDIR if set, otherwise memory (faster) if there is enough space,
 * otherwise the system's temporary folder.
 */
export async function defaultTempDir(): Promise<string> {
  if (process.platform !== "linux" || process.env.TMPDIR) return tmpdir();
  try {
    const { bavail, bsize } = await statfs(MEMORY_FOLDER);
    await access(MEMORY_FOLDER, constants.W_OK);
    return bavail * bsize >= MIN_MEMORY_BYTES ? MEMORY_FOLDER : tmpdir();
  } catch {
    return tmpdir();
  }
}

/** A converter's private folder: a prepared profile and a folder for each lane. */
export interface TempWorkspace {
  readonly folder: string;
  /** Additional environment variables for LibreOffice: where its fonts are. */
  readonly environment: Readonly<Record<string, string>>;
  /** The files that LibreOffice can see in addition to the lane's folder; null for all files. */
  readonly enclosure: Enclosure | null;
  /** The restrictions of a program that runs like a lane's LibreOffice. */
  readonly bounds: Bounds;
  /** Folders with fonts in addition to the system's, as absolute paths. */
  readonly fontFolders: readonly string[];
  /**
   * Returns a profile to copy, or the folder from which the WebAssembly module is loaded. Creates it again if it was
   * deleted. Rejects with `unavailable`.
   */
  profile(): Promise<string>;
  remove(): Promise<void>;
}

/**
 * Creates the private folder and removes old folders of hosts that no longer run. Rejects with `unavailable`, or with
 * `invalid_request` for the font folders.
 */
export async function openWorkspace(options: {
  readonly tempDir: string;
  readonly soffice: string;
  readonly limits: LaunchLimits;
  readonly seal: Seal;
  /** Folders with fonts in addition to the system's. */
  readonly fontFolders: readonly string[];
}): Promise<TempWorkspace> {
  const { tempDir, soffice } = options;
  const ofOffice = await officeFontFolders(soffice);
  const fontFolders = [...ofOffice, ...(await checkFontFolders(options.fontFolders))];
  const folder = await makeFolder(tempDir);
  const profile = join(folder, "profile");
  const provide = async (): Promise<string> => {
    if (!(await isIntact(profile, options.seal))) {
      await ensureOwn(folder);
      if (fontFolders.length > 0) await writeFontConfig(folder, fontFolders);
      await prepareProfile({ ...options, folder, profile });
    }
    return profile;
  };
  const environment = fontFolders.length === 0 ? {} : await writeFontConfig(folder, fontFolders);
  const enclosure = options.seal.isolated ? await lookedUp(options, folder, environment) : null;
  return {
    folder,
    environment,
    enclosure,
    bounds: await tryBounds({ ...options, folder, enclosure }),
    fontFolders,
    profile: oneAfterTheOther(provide),
    remove: () => removeFolder(folder),
  };
}

/** Like {@link openWorkspace}, for lanes with LibreOffice as WebAssembly. `soffice` is the folder of its package. */
export async function openWasmWorkspace(options: {
  readonly tempDir: string;
  readonly soffice: string;
  readonly fontFolders: readonly string[];
}): Promise<TempWorkspace> {
  const fontFolders = await checkFontFolders(options.fontFolders);
  const folder = await makeFolder(options.tempDir);
  const program = join(folder, "wasm");
  return {
    folder,
    environment: {},
    enclosure: null,
    // If WebAssembly works as specified, it has no access to the network, files or processes.
    bounds: { network: true, files: true, processes: true, calls: false, room: false },
    fontFolders,
    profile: oneAfterTheOther(async () => {
      if (!(await isWasmReady(options.soffice, program))) {
        await ensureOwn(folder);
        await prepareWasm(options.soffice, program);
      }
      return program;
    }),
    remove: () => removeFolder(folder),
  };
}

async function makeFolder(tempDir: string): Promise<string> {
  await removeLeftovers(tempDir);
  try {
    return await realpath(await mkdtemp(join(tempDir, `${FOLDER_PREFIX}${ownerMark()}-`)));
  } catch (cause) {
    const trouble = folderTrouble(tempDir);
    if (trouble !== null) throw folderUnusable(tempDir, trouble, cause);
    throw new QuireError(
      "unavailable",
      `Could not create a folder for LibreOffice in ${tempDir}. Make that folder writable, or pass ` +
        "another folder as tempDir.",
      { cause },
    );
  }
}

function removeFolder(folder: string): Promise<void> {
  return rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
}

/** Runs calls one after the other, so that an unfinished profile is not mistaken for a damaged one. */
function oneAfterTheOther(provide: () => Promise<string>): () => Promise<string> {
  let last: Promise<unknown> = Promise.resolve();
  return () => {
    const provided = last.then(provide, provide);
    last = provided.catch(() => {});
    return provided;
  };
}

async function lookedUp(
  {
    soffice,
    limits,
    seal,
  }: { readonly soffice: string; readonly limits: LaunchLimits; readonly seal: Seal },
  folder: string,
  ofFonts: Readonly<Record<string, string>>,
): Promise<Enclosure | null> {
  const environment = { ...laneEnvironment({ home: folder, temp: folder }), ...ofFonts };
  return findEnclosure({ folder, soffice, environment, limits, seal });
}

/** Creates the private folder again if a cleaner of temporary folders has deleted it. Rejects another user's folder. */
async function ensureOwn(folder: string): Promise<void> {
  await mkdir(folder, { mode: 0o700 }).catch(() => {}); // nearly always, it exists
  const { uid } = await stat(folder);
  if (uid !== process.getuid?.()) throw new Error(`The folder ${folder} belongs to another user.`);
}

async function writeFontConfig(
  folder: string,
  fontFolders: readonly string[],
): Promise<Record<string, string>> {
  const file = join(folder, "fonts.conf");
  await writeFile(file, fontConfig(fontFolders, join(folder, "font-cache")));
  return { FONTCONFIG_FILE: file };
}

/**
 * A shell script that runs a command. If the script's standard input closes first, because the host was killed, the
 * script ends the command and removes two paths.
 */
const UNTIL_HOST_ENDS = `exec 3<&0 </dev/null
folder=$1 socket=$2
shift 2
"$@" 3<&- &
office=$!
{ cat <&3 >/dev/null; kill -s KILL "$office"; rm -rf -- "$folder" "$socket"; kill -s KILL 0; } &
guard=$!
exec 3<&-
wait "$office"
kill -s KILL "$guard"`;

/**
 * Starts LibreOffice once without a document. On a new profile, LibreOffice writes its own files there and, unless
 * it gets the option to exit, starts again. Lanes copy the result.
 */
async function prepareProfile(options: {
  readonly folder: string;
  readonly profile: string;
  readonly soffice: string;
  readonly limits: LaunchLimits;
  readonly seal: Seal;
}): Promise<void> {
  const { folder, profile, soffice, limits, seal } = options;
  const home = join(folder, "home");
  await rm(profile, { recursive: true, force: true });
  await writeProfile(profile, seal);
  await mkdir(home, { recursive: true });
  const socket = leftoverSocket(profile);
  const command = limitedCommand(
    [
      programBehind(soffice),
      "--headless",
      "--norestore",
      "--nologo",
      "--nodefault",
      "--nocrashreport",
      "--nofirststartwizard",
      ...profileArguments(profile),
      "--terminate_after_init",
    ],
    limits,
    seal,
  );
  const child = spawn("/bin/sh", ["-c", UNTIL_HOST_ENDS, "sh", folder, socket, ...command], {
    cwd: folder,
    detached: true, // leader of a new process group
    env: laneEnvironment({ home, temp: home }),
    stdio: ["pipe", "ignore", "ignore"],
  });
  const timer = setTimeout(() => killGroup(child.pid), PREPARE_LIMIT_MS);
  // The outcome does not matter here: an unusable profile is detected when a lane starts with it.
  await new Promise<void>((resolve) => {
    child.once("error", () => resolve());
    child.once("exit", () => resolve());
  });
  clearTimeout(timer);
  killGroup(child.pid);
  await rm(socket, { force: true }).catch(() => {});
}
