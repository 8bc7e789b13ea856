import { createHash } from "node:crypto";
import type { CompileOptions } from "../docx/compile-options.ts";
import { isQuireError } from "../errors.ts";
import type { Sharer } from "../sharing/fair-line.ts";
import type { TemplateHead } from "./messages.ts";
import type { OpenOptions } from "./renderer.ts";

/** A template that was given to a pool, whatever processes hold it. */
export interface PooledTemplate {
  readonly options: CompileOptions;
  /** Of its file. */
  readonly size: number;
  /** Undefined for a long one that can be read again: so that many that wait take no memory. */
  readonly bytes: Uint8Array | undefined;
  /** Whether it is no template but a PDF, which is kept as it is. */
  readonly isPdf: boolean;
  /** Whose time its documents take. */
  readonly sharer: Sharer;
  /**
   * Equal for templates of a tenant that compile to the same, so that a process compiles one of them for all. Made
   * from the tenant, the bytes and the options; of its own once it is known to include others, which may change.
   */
  key: string;
  /** The same, whatever it includes. */
  readonly contentKey: string;
  /** The content's key, and another one with each included template that was read: of what is the same so far. */
  readonly readKeys: readonly string[];
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
  /** Its bytes, whether or not they are kept. */
  read(): Promise<Uint8Array>;
}

/** Takes a template, or a PDF that is none; the bytes are copied. */
export function pooledTemplate(
  given: Uint8Array,
  { tenant = "", weight, ...options }: OpenOptions,
  isPdf = false,
): PooledTemplate {
  const { delimiters, limits, readTemplate, readAgain } = options;
  const contentKey = hashOf(
    given,
    JSON.stringify([tenant, delimiters, limits, readTemplate === undefined, isPdf]),
  );
  const included = new Map<string, Promise<Uint8Array>>();
  const readKeys = [contentKey];
  const hashed = new Set<string>();
  return {
    options,
    sharer: { tenant, weight, flow: contentKey },
    size: given.length,
    ...keep(given, readAgain),
    isPdf,
    key: contentKey,
    contentKey,
    readKeys,
    failure: null,
    ends: 0,
    wasCompiled: false,
    keepApart() {
      if (this.key === contentKey) this.key = `${contentKey} ${nextOwnKey++}`;
    },
    include(name) {
      const known = included.get(name);
      if (known !== undefined) return known;
      const reading = (
        readTemplate?.(name) ?? Promise.reject(new Error("No template can be included."))
      ).then((found) => {
        if (!hashed.has(name)) {
          readKeys.push(hashOf(found, JSON.stringify([readKeys.at(-1), name])));
          hashed.add(name);
        }
        return found;
      });
      included.set(name, reading);
      reading.then(
        ({ length }) => {
          if (readAgain !== undefined && length > MOST_KEPT) included.delete(name);
        },
        // What may pass by itself is asked for again.
        (error: unknown) => {
          if (isQuireError(error) && error.retryable) included.delete(name);
        },
      );
      return reading;
    },
  };
}

let nextOwnKey = 1;

/** What is longer is not kept where it can be read again. */
const MOST_KEPT = 1_000_000;

function keep(
  given: Uint8Array,
  readAgain: OpenOptions["readAgain"],
): Pick<PooledTemplate, "bytes" | "read"> {
  if (readAgain !== undefined && given.length > MOST_KEPT)
    return { bytes: undefined, read: readAgain };
  const bytes = Uint8Array.from(given);
  return { bytes, read: async () => bytes };
}

/** How a process is told to take it. */
export function templateHead({ options, isPdf, bytes }: PooledTemplate): TemplateHead {
  const { delimiters, limits, readTemplate } = options;
  const canInclude = readTemplate !== undefined;
  return { delimiters, limits, canInclude, isPdf, isSent: bytes !== undefined };
}

function hashOf(bytes: Uint8Array, beside: string): string {
  return createHash("sha256").update(beside).update(bytes).digest("base64");
}
