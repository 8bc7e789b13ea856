import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { JINJA } from "../word/syntax.ts";
import type { Engine } from "./engine.ts";

/** The program that runs docxtpl, as `measure/child.ts` runs the other engines. */
export const DOCXTPL_PROGRAM = fileURLToPath(new URL("docxtpl-child.py", import.meta.url));

/** docxtpl, which runs in Python. Available if it is installed. */
export const docxtpl: Engine = {
  name: "docxtpl",
  title: "docxtpl",
  syntax: JINJA,
  can: new Set(["images"]),
  load: null,
};

/** A Python with docxtpl, and the versions of both. */
export interface PythonWithDocxtpl {
  readonly command: string;
  readonly version: string;
}

/** Returns the first Python that has docxtpl, or null. */
export function findDocxtpl(): PythonWithDocxtpl | null {
  const source = "import docxtpl, platform; print(docxtpl.__version__, platform.python_version())";
  for (const command of ["python3", "/usr/bin/python3"]) {
    const { status, stdout } = spawnSync(command, ["-c", source], { encoding: "utf8" });
    if (status === 0) {
      const [version, python] = stdout.trim().split(" ");
      return { command, version: `${version} (Python ${python})` };
    }
  }
  return null;
}
