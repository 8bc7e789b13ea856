// First, since it tells an older Node what is needed.
import "@quire/core/host";

export type { Io, Output, StopSignal } from "./io.ts";
export { main } from "./quire.ts";
