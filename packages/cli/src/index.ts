// Imported first: on an older Node, it reports which version is required.
import "@quire/core/host";

export { main } from "./quire.ts";
export type { Io, Output, StopSignal } from "./terminal/io.ts";
