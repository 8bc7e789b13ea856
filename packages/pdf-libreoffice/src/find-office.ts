import { QuireError } from "@quire/contracts";
import { findSoffice, INSTALL_HINT } from "./office/soffice.ts";
import type { Settings } from "./options.ts";
import type { LaneMode } from "./process/messages.ts";
import { findWasmPackage, WASM_PACKAGE } from "./wasm/package.ts";

/** The LibreOffice to use, and the mode. */
export interface FoundOffice {
  readonly mode: "auto" | LaneMode;
  /** The path of the program; with `wasm`, the folder of the npm package. */
  readonly soffice: string;
}

/**
 * Finds the LibreOffice to use. Rejects with `unavailable` on Windows and, with install instructions, if no LibreOffice
 * is found. `find` searches for an installed program.
 */
export async function findOffice(
  settings: Pick<Settings, "mode" | "sofficePath">,
  find: typeof findSoffice = findSoffice,
): Promise<FoundOffice> {
  const { mode, sofficePath } = settings;
  if (process.platform === "win32") {
    throw new QuireError(
      "unavailable",
      "Conversion with LibreOffice needs a POSIX system, but this is Windows. Run Quire in WSL " +
        "or in a Linux container, or use another converter.",
    );
  }
  if (mode === "wasm") return wasmOffice();
  const found = await find(sofficePath === undefined ? {} : { sofficePath });
  if (found !== null) return { mode, soffice: found };
  if (mode === "auto" && sofficePath === undefined && findWasmPackage() !== null)
    return wasmOffice();
  throw new QuireError(
    "unavailable",
    sofficePath === undefined
      ? `LibreOffice was not found. ${INSTALL_HINT} If it is installed, pass its path as sofficePath.`
      : `The sofficePath ${sofficePath} does not exist. Correct it, or omit it so that Quire ` +
          `searches for LibreOffice. ${INSTALL_HINT}`,
  );
}

function wasmOffice(): FoundOffice {
  const folder = findWasmPackage();
  if (folder !== null) return { mode: "wasm", soffice: folder };
  throw new QuireError(
    "unavailable",
    `LibreOffice as WebAssembly was not found. Install it next to Quire: npm install ${WASM_PACKAGE}`,
  );
}
