import { homedir } from "node:os";
import { join } from "node:path";
import { SEALED, type Seal } from "./seal.ts";

/**
 * The host's variables that LibreOffice may see: the locations of programs and fonts, the language and the time zone.
 */
const PASSED_ON = [
  "PATH",
  "LANG",
  "LC_ALL",
  "TZ",
  "FONTCONFIG_FILE",
  "FONTCONFIG_PATH",
  "FONTCONFIG_SYSROOT",
] as const;

/** An address where nothing listens. It is the second barrier against network access, after the profile. */
const DEAD_PROXY = "http://127.0.0.1:9";

const NO_WEB = { http_proxy: DEAD_PROXY, https_proxy: DEAD_PROXY, ftp_proxy: DEAD_PROXY };

/**
 * Returns the environment of all processes of a lane. It is an allow-list, so that no secret of the host reaches a
 * program that reads untrusted documents. `folders` become HOME and TMPDIR.
 */
export function laneEnvironment(
  folders: { readonly home: string; readonly temp: string },
  host: NodeJS.ProcessEnv = process.env,
  { hardened }: Pick<Seal, "hardened"> = SEALED,
): Record<string, string> {
  const environment: Record<string, string> = {
    HOME: folders.home,
    TMPDIR: folders.temp,
    SAL_USE_VCLPLUGIN: "svp",
    // Keeps the user's own fonts visible although HOME is different.
    XDG_DATA_HOME: host.XDG_DATA_HOME ?? join(host.HOME ?? homedir(), ".local", "share"),
    ...(hardened ? NO_WEB : {}),
  };
  for (const name of PASSED_ON) {
    const value = host[name];
    if (value !== undefined) environment[name] = value;
  }
  if (!environment.LANG && !environment.LC_ALL) environment.LANG = "C.UTF-8";
  return environment;
}
