import type { Data } from "../scenarios/scenario.ts";
import type { Syntax } from "../word/syntax.ts";

/** An engine in one of its ways of working: what the page has a line for. */
export interface Engine {
  /** Names it on the command line and in the results. */
  readonly name: string;
  readonly title: string;
  readonly syntax: Syntax;
  /** What its free version can put into a document beside text. */
  readonly can: ReadonlySet<"images" | "html">;
  /** How it is loaded and used, from Node; null for one that has a program of its own. */
  readonly load: (() => Promise<Renderer>) | null;
}

/** An engine that is loaded. */
export interface Renderer {
  /** The data in the form that the engine wants, made before the time is taken. */
  adapt(data: Data): Data;
  /** Gets a template ready, as far as the engine can do so once for many documents. */
  open(template: Uint8Array): Promise<Render>;
}

/** Makes the bytes of one document. */
export type Render = (data: Data) => Uint8Array | Promise<Uint8Array>;
