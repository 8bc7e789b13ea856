import { createHash } from "node:crypto";
import { userInfo } from "node:os";
import { pathToFileURL } from "node:url";

/** Where LibreOffice makes its sockets and looks for them, whatever TMPDIR says. */
const PREFIX = hasName() ? `/tmp/OSL_PIPE_${process.getuid?.() ?? 0}_` : "/tmp/OSL_PIPE_";

/** Whether the user has a name. Without one LibreOffice leaves the user's number out of the paths. */
function hasName(): boolean {
  try {
    return userInfo().username !== "";
  } catch {
    return false;
  }
}

/** What {@link pipePath} is called by a process that is the root of a namespace. */
export function pipeNameForRoot(name: string): string {
  return `OSL_PIPE_0_${name}`;
}

/** The socket that UNO's connector means by `pipe,name=…`. */
export function pipePath(name: string): string {
  return PREFIX + name;
}

/** The socket that a killed LibreOffice leaves, by its profile. */
export function leftoverSocket(profile: string): string {
  const digest = createHash("md5")
    .update(Buffer.from(pathToFileURL(profile).href, "utf16le"))
    .digest();
  const name = Array.from(digest, (byte) => byte.toString(16)).join(""); // not padded
  return `${PREFIX}SingleOfficeIPC_${name}`;
}
