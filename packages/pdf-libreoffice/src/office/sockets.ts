import { createHash } from "node:crypto";
import { userInfo } from "node:os";
import { pathToFileURL } from "node:url";

/** The folder and prefix of LibreOffice's sockets, independent of TMPDIR. */
const PREFIX = hasName() ? `/tmp/OSL_PIPE_${process.getuid?.() ?? 0}_` : "/tmp/OSL_PIPE_";

/** Whether the user has a name. If not, LibreOffice omits the user id from the paths. */
function hasName(): boolean {
  try {
    return userInfo().username !== "";
  } catch {
    return false;
  }
}

/** Returns the name of {@link pipePath} for a process that is root of a namespace. */
export function pipeNameForRoot(name: string): string {
  return `OSL_PIPE_0_${name}`;
}

/** Returns the socket that UNO's connector uses for `pipe,name=…`. */
export function pipePath(name: string): string {
  return PREFIX + name;
}

/** Returns the socket that a killed LibreOffice leaves behind, derived from its profile. */
export function leftoverSocket(profile: string): string {
  const digest = createHash("md5")
    .update(Buffer.from(pathToFileURL(profile).href, "utf16le"))
    .digest();
  const name = Array.from(digest, (byte) => byte.toString(16)).join(""); // without padding
  return `${PREFIX}SingleOfficeIPC_${name}`;
}
