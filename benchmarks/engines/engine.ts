import type { Data } from "../scenarios/scenario.ts";
import type { Syntax } from "../word/syntax.ts";

/** An engine with certain options. The results page has a line for each one. */
export interface Engine {
  /** The name of the engine on the command line and in the results. */
  readonly name: string;
  readonly title: string;
  readonly syntax: Syntax;
  /** The kinds of content, other than text, that the engine's free version supports. */
  readonly can: ReadonlySet<"images" | "html">;
  /** Loads the engine in Node; null for an engine with a separate program. */
  readonly load: (() => Promise<Renderer>) | null;
}

/** A loaded engine. */
export interface Renderer {
  /** Converts the data to the engine's format before the measurement. */
  adapt(data: Data): Data;
  /** Does the work that the engine needs only once for many documents. `file` is the path of the template. */
  open(template: Uint8Array, file: string): Promise<Render>;
}

/** Renders one document. */
export type Render = (data: Data) => Uint8Array | Promise<Uint8Array>;
