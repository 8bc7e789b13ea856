import { createHash } from "node:crypto";
import type { CompileOptions } from "../docx/compile-options.ts";
import { isQuireError } from "../errors.ts";
import type { TemplateHead } from "./messages.ts";

/** A template that was given to a pool, whatever processes hold it. */
export interface PooledTemplate {
  readonly bytes: Uint8Array;
  readonly options: CompileOptions;
  /** Whether it is no template but a PDF, which is kept as it is. */
  readonly isPdf: boolean;
  /**
   * Equal for templates that compile to the same, so that a process compiles one of them for all. Made
   * from the bytes and the options; of its own once it is known to include others, which may change.
   */
  key: string;
  /** The same, whatever it includes. */
  readonly contentKey: string;
  /** Why it cannot be compiled; null as long as that is not known. */
  failure: Error | null;
  /** How many processes ended while they compiled it, since one last succeeded. */
  ends: number;
  /** Whether one ever has: then it is not to blame for much. */
  wasCompiled: boolean;
  /** Makes the key its own. */
  keepApart(): void;
  /** Reads what it includes, once for all processes. */
  include(name: string): Promise<Uint8Array>;
}

/** Takes a template, or a PDF that is none; the bytes are copied. */
export function pooledTemplate(
  given: Uint8Array,
  options: CompileOptions,
  isPdf = false,
): PooledTemplate {
  const bytes = Uint8Array.from(given);
  const { delimiters, limits, readTemplate } = options;
  const contentKey = createHash("sha256")
    .update(JSON.stringify([delimiters, limits, readTemplate === undefined, isPdf]))
    .update(bytes)
    .digest("base64");
  const included = new Map<string, Promise<Uint8Array>>();
  return {
    bytes,
    options,
    isPdf,
    key: contentKey,
    contentKey,
    failure: null,
    ends: 0,
    wasCompiled: false,
    keepApart() {
      if (this.key === contentKey) this.key = `${contentKey} ${nextOwnKey++}`;
    },
    include(name) {
      const known = included.get(name);
      if (known !== undefined) return known;
      const reading =
        readTemplate?.(name) ?? Promise.reject(new Error("No template can be included."));
      included.set(name, reading);
      // What may pass by itself is asked for again.
      reading.catch((error: unknown) => {
        if (isQuireError(error) && error.retryable) included.delete(name);
      });
      return reading;
    },
  };
}

let nextOwnKey = 1;

/** How a process is told to take it. */
export function templateHead({ options, isPdf }: PooledTemplate): TemplateHead {
  const { delimiters, limits, readTemplate } = options;
  return { delimiters, limits, canInclude: readTemplate !== undefined, isPdf };
}
