import { fileURLToPath } from "node:url";
import { programUrl } from "@quire/contracts";

/** Returns the path of the program of a lane's process. Throws `unavailable` if the file is missing, as in a bundle. */
export function laneProgram(): string {
  return fileURLToPath(programUrl("./lane-process", import.meta.url));
}
