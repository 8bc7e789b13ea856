// Imported first: on an older Node it reports which version is required.
import "@quire/core/host";

export type { Io, Output, StopSignal } from "./io.ts";
export { main } from "./quire.ts";
