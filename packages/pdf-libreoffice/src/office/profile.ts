import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { BASIC_LOOP, LOOP_MODULE } from "./basic-loop.ts";
import { escapeXml } from "./escape-xml.ts";
import type { Seal } from "./seal.ts";

const SCRIPTING = "/org.openoffice.Office.Common/Security/Scripting";
const MISC = "/org.openoffice.Office.Common/Misc";

/** Accessible to this user only, independent of the host's umask. */
const PRIVATE = { mode: 0o600 };

type Setting = readonly [path: string, name: string, value: string];

/** Settings written before the first start, so that LibreOffice does not follow links or run anything. */
const HARDENING: readonly Setting[] = [
  // The only setting that keeps linked images, from http and from local files, out of the PDF.
  [SCRIPTING, "BlockUntrustedRefererLinks", "true"],
  // Allows only signed macros of trusted authors, and the list of authors is empty. Our own macro is not in a document.
  [SCRIPTING, "MacroSecurityLevel", "3"],
  ["/org.openoffice.Office.Writer/Content/Update", "Link", "0"], // never
  ["/org.openoffice.Office.Java/VirtualMachine", "Enable", "false"],
];

const USUAL: readonly Setting[] = [
  [MISC, "CrashReport", "false"],
  [MISC, "FirstRun", "false"],
  [MISC, "UseLocking", "false"],
  ["/org.openoffice.Office.Common/History", "PickListSize", "0"],
  ["/org.openoffice.Office.Recovery/RecoveryInfo", "Enabled", "false"],
  ["/org.openoffice.Office.Recovery/AutoSave", "Enabled", "false"],
  // Otherwise, the first start on a new profile draws and compares pictures for a second, to test the graphics.
  ["/org.openoffice.Setup/Product", "ooSetupLastVersion", "999.9"],
  // Otherwise, the first start replaces our Basic library with its own.
  ["/org.openoffice.Setup/Office", "ooSetupInstCompleted", "true"],
];

/** Matches the setting that blocks links. LibreOffice rewrites the file, but keeps this form of an item. */
const LINKS_BLOCKED = /oor:name="BlockUntrustedRefererLinks" oor:op="fuse"><value>true<\/value>/;

/**
 * Returns the arguments that make LibreOffice use a profile. They also move the cache of extensions for all users into
 * the profile. Otherwise, root would create a part of the machine's cache that only root can read, and LibreOffice
 * would not start for other users.
 */
export function profileArguments(profile: string): string[] {
  const { href } = pathToFileURL(profile);
  return [`-env:UserInstallation=${href}`, `-env:UNO_SHARED_PACKAGES_CACHE=${href}/shared`];
}

/** Writes a profile into a new folder, with {@link BASIC_LOOP} as its macro. */
export async function writeProfile(
  profile: string,
  { hardened }: Pick<Seal, "hardened">,
): Promise<void> {
  const settings = [...USUAL, ...(hardened ? HARDENING : [])];
  const library = join(profile, "user", "basic", "Standard");
  await mkdir(library, { recursive: true, mode: 0o700 });
  await writeFile(settingsFile(profile), settingsXml(settings), PRIVATE);
  for (const kind of ["script", "dialog"]) {
    await writeFile(join(profile, "user", "basic", `${kind}.xlc`), librariesXml(kind), PRIVATE);
    await writeFile(join(library, `${kind}.xlb`), libraryXml(kind === "script"), PRIVATE);
  }
  await writeFile(join(library, `${LOOP_MODULE}.xba`), moduleXml(), PRIVATE);
}

/** Whether a profile and its hardening still exist. A cleaner of temporary folders may have deleted them. */
export async function isIntact(
  profile: string,
  { hardened }: Pick<Seal, "hardened">,
): Promise<boolean> {
  try {
    const settings = await readFile(settingsFile(profile), "utf8");
    return !hardened || LINKS_BLOCKED.test(settings);
  } catch {
    return false;
  }
}

function settingsFile(profile: string): string {
  return join(profile, "user", "registrymodifications.xcu");
}

const XML = '<?xml version="1.0" encoding="UTF-8"?>\n';
const DOCTYPE = (root: string, file: string): string =>
  `<!DOCTYPE ${root} PUBLIC "-//OpenOffice.org//DTD OfficeDocument 1.0//EN" "${file}.dtd">\n`;
const LIBRARY = 'xmlns:library="http://openoffice.org/2000/library"';

function settingsXml(settings: readonly Setting[]): string {
  const items = settings.map(
    ([path, name, value]) =>
      `<item oor:path="${path}"><prop oor:name="${name}" oor:op="fuse">` +
      `<value>${value}</value></prop></item>`,
  );
  return `${XML}<oor:items xmlns:oor="http://openoffice.org/2001/registry" \
xmlns:xs="http://www.w3.org/2001/XMLSchema" \
xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
${items.join("\n")}
</oor:items>
`;
}

function librariesXml(kind: string): string {
  return (
    `${XML}${DOCTYPE("library:libraries", "libraries")}<library:libraries ${LIBRARY} ` +
    'xmlns:xlink="http://www.w3.org/1999/xlink"><library:library library:name="Standard" ' +
    `xlink:href="$(USER)/basic/Standard/${kind}.xlb/" xlink:type="simple" library:link="false"/>` +
    "</library:libraries>\n"
  );
}

function libraryXml(withLoop: boolean): string {
  const element = withLoop ? `<library:element library:name="${LOOP_MODULE}"/>` : "";
  return (
    `${XML}${DOCTYPE("library:library", "library")}<library:library ${LIBRARY} ` +
    'library:name="Standard" library:readonly="false" library:passwordprotected="false">' +
    `${element}</library:library>\n`
  );
}

function moduleXml(): string {
  const code = escapeXml(BASIC_LOOP);
  return (
    `${XML}${DOCTYPE("script:module", "module")}<script:module ` +
    `xmlns:script="http://openoffice.org/2000/script" script:name="${LOOP_MODULE}" ` +
    `script:language="StarBasic">${code}</script:module>\n`
  );
}
