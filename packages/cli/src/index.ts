export type { Io, Output, StopSignal } from "./io.ts";
export { main } from "./quire.ts";
