import { fileURLToPath } from "node:url";
import { programUrl } from "@quire/contracts";

/** The program of a lane's process. Throws `unavailable` if its file is missing, as in a bundle. */
export function laneProgram(): string {
  return fileURLToPath(programUrl("./lane-process", import.meta.url));
}
