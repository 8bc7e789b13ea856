import { createHash } from "node:crypto";
import { access, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

/** The places inside a lane's folder. */
export function laneFolders(lane: string) {
  return {
    home: join(lane, "home"),
    temp: join(lane, "tmp"),
    profile: join(lane, "profile"),
    settings: join(lane, "profile", "user", "registrymodifications.xcu"),
    launcher: join(lane, "soffice"),
    log: join(lane, "soffice.log"),
    exitCode: join(lane, "soffice.exit"),
  };
}

const SCRIPTING = "/org.openoffice.Office.Common/Security/Scripting";

/** What the lane's LibreOffice is set to before its first start. */
const SETTINGS: readonly (readonly [path: string, name: string, value: string])[] = [
  // The one setting that keeps linked images, over http and from local files, out of the PDF.
  [SCRIPTING, "BlockUntrustedRefererLinks", "true"],
  [SCRIPTING, "MacroSecurityLevel", "3"],
  [SCRIPTING, "DisableMacrosExecution", "true"],
  ["/org.openoffice.Office.Writer/Content/Update", "Link", "0"], // never
  ["/org.openoffice.Office.Common/Misc", "CrashReport", "false"],
  ["/org.openoffice.Office.Common/Misc", "FirstRun", "false"],
  ["/org.openoffice.Office.Recovery/RecoveryInfo", "Enabled", "false"],
  ["/org.openoffice.Office.Recovery/AutoSave", "Enabled", "false"],
];

/** LibreOffice rewrites the file, but keeps this form of an item. */
const LINKS_BLOCKED = /oor:name="BlockUntrustedRefererLinks" oor:op="fuse"><value>true<\/value>/;

/** What {@link prepareLane} needs besides the folder. */
export interface LaunchOptions {
  readonly soffice: string;
  readonly memoryLimitMb: number;
}

/** Lays out a lane's folder: temp and home folders, the hardened profile and the launcher. */
export async function prepareLane(lane: string, options: LaunchOptions): Promise<void> {
  const folders = laneFolders(lane);
  await mkdir(folders.home);
  await mkdir(folders.temp);
  await mkdir(join(folders.profile, "user"), { recursive: true });
  await writeFile(folders.settings, settingsXml());
  await writeFile(folders.launcher, launcherScript(lane, options), { mode: 0o700 });
}

/**
 * Whether launcher and hardening are still there. A cleaner of temp folders may have taken them, and
 * then libreoffice-convert would start a LibreOffice without either.
 */
export async function isLaneIntact(lane: string): Promise<boolean> {
  const folders = laneFolders(lane);
  try {
    await access(folders.launcher);
    await access(folders.temp);
    return LINKS_BLOCKED.test(await readFile(folders.settings, "utf8"));
  } catch {
    return false;
  }
}

/** The socket that a killed LibreOffice leaves in /tmp, whatever TMPDIR says. */
export function leftoverSocket(lane: string): string {
  const digest = createHash("md5")
    .update(Buffer.from(profileUrl(lane), "utf16le"))
    .digest();
  const name = Array.from(digest, (byte) => byte.toString(16)).join(""); // not padded
  return `/tmp/OSL_PIPE_${process.getuid?.() ?? 0}_SingleOfficeIPC_${name}`;
}

function profileUrl(lane: string): string {
  return pathToFileURL(laneFolders(lane).profile).href;
}

function settingsXml(): string {
  const items = SETTINGS.map(
    ([path, name, value]) =>
      `<item oor:path="${path}"><prop oor:name="${name}" oor:op="fuse">` +
      `<value>${value}</value></prop></item>`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry" \
xmlns:xs="http://www.w3.org/2001/XMLSchema" \
xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
${items.join("\n")}
</oor:items>
`;
}

/**
 * libreoffice-convert passes a throw-away profile as its first argument; LibreOffice takes the first
 * such argument it sees, so the lane's own goes before it. Exit codes 81 and 79 mean "start me again"
 * (on a new profile). The script itself always ends with 0: only the PDF counts.
 */
function launcherScript(lane: string, { soffice, memoryLimitMb }: LaunchOptions): string {
  const { log, exitCode } = laneFolders(lane);
  return `#!/bin/sh
ulimit -c 0 2>/dev/null
ulimit -v ${memoryLimitMb * 1024} 2>/dev/null
run() {
  ${shellQuote(soffice)} ${shellQuote(`-env:UserInstallation=${profileUrl(lane)}`)} "$@" \
>${shellQuote(log)} 2>&1
}
run "$@"
code=$?
if [ "$code" -eq 81 ] || [ "$code" -eq 79 ]; then
  run "$@"
  code=$?
fi
echo "$code" >${shellQuote(exitCode)}
exit 0
`;
}

function shellQuote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
