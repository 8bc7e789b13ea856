import type { Data } from "../scenarios/scenario.ts";
import type { Syntax } from "../word/syntax.ts";

/** An engine with certain options. The page of results has a line for each. */
export interface Engine {
  /** Its name on the command line and in the results. */
  readonly name: string;
  readonly title: string;
  readonly syntax: Syntax;
  /** The kinds of content that its free version supports in addition to text. */
  readonly can: ReadonlySet<"images" | "html">;
  /** Loads the engine in Node; null for an engine with a separate program. */
  readonly load: (() => Promise<Renderer>) | null;
}

/** A loaded engine. */
export interface Renderer {
  /** Converts the data to the engine's format, before the measurement. */
  adapt(data: Data): Data;
  /** Prepares a template, as far as the engine can do so once for many documents. The file contains the template. */
  open(template: Uint8Array, file: string): Promise<Render>;
}

/** Renders one document. */
export type Render = (data: Data) => Uint8Array | Promise<Uint8Array>;
