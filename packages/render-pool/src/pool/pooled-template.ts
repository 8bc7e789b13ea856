import { createHash } from "node:crypto";
import { isQuireError, type Sharer } from "@quire/contracts";
import type { CompileOptions } from "@quire/docx/internal/compile-options";
import type { TemplateHead } from "../protocol/messages.ts";
import type { OpenOptions } from "../protocol/renderer.ts";

/** A template of a pool. It does not depend on the processes that hold it. */
export interface PooledTemplate {
  readonly options: CompileOptions;
  /** The size of the template's file in bytes. */
  readonly size: number;
  /**
   * The bytes of the file. Undefined for a large file that can be read again, so that many waiting templates need
   * little memory.
   */
  readonly bytes: Uint8Array | undefined;
  /** Whether the file was opened with `openPdf`. If so, it is not a template. */
  readonly isPdf: boolean;
  /** The tenant and flow that own the template's documents. */
  readonly sharer: Sharer;
  /**
   * Equal for templates of a tenant that have the same compilation result, so that a process compiles only one of them.
   * Derived from the tenant, the bytes and the options. Unique once the template is known to include others, because
   * these may change.
   */
  key: string;
  /** Like {@link key}, but does not depend on included templates. */
  readonly contentKey: string;
  /**
   * `contentKey`, followed by one key for each included template in the order in which they were read. Each key is a
   * hash of all files that had been read by then.
   */
  readonly readKeys: readonly string[];
  /** The error that prevents compiling the template; null if none is known. */
  failure: Error | null;
  /** Number of processes that ended while they compiled the template, since the last success. */
  ends: number;
  /** Whether a process has ever compiled the template. If so, it is rarely the cause of a crash. */
  wasCompiled: boolean;
  /** Makes the key unique. */
  keepApart(): void;
  /**
   * Reads an included template. Keeps the bytes for other processes, unless the file is large and can be read again.
   */
  include(name: string): Promise<Uint8Array>;
  /** Returns the bytes of the template's file, from memory or by reading it again. */
  read(): Promise<Uint8Array>;
}

/** Creates the record of a template, or of a PDF that is not a template. Copies the bytes that it keeps. */
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
        // After a retryable error, the next call reads the file again.
        (error: unknown) => {
          if (isQuireError(error) && error.retryable) included.delete(name);
        },
      );
      return reading;
    },
  };
}

let nextOwnKey = 1;

/** Maximum size in bytes of files that are kept in memory even if they can be read again. */
const MOST_KEPT = 1_000_000;

function keep(
  given: Uint8Array,
  readAgain: OpenOptions["readAgain"],
): Pick<PooledTemplate, "bytes" | "read"> {
  if (readAgain !== undefined && given.length > MOST_KEPT)
    return { bytes: undefined, read: readAgain };
  const bytes = new Uint8Array(given);
  return { bytes, read: async () => bytes };
}

/** Returns the head of the message that sends the template to a process. */
export function templateHead({ options, isPdf, bytes }: PooledTemplate): TemplateHead {
  const { delimiters, limits, readTemplate } = options;
  const canInclude = readTemplate !== undefined;
  return { delimiters, limits, canInclude, isPdf, isSent: bytes !== undefined };
}

function hashOf(bytes: Uint8Array, beside: string): string {
  return createHash("sha256").update(beside).update(bytes).digest("base64");
}
