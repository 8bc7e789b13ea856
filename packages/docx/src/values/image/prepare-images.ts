import {
  checkOptions,
  isQuireError,
  type OptionNames,
  QuireError,
  throwIfAborted,
} from "@quire/contracts";
import { contentHash } from "@quire/ooxml/internal/content-hash";
import { decodeBase64, startOfPayload, tooLarge } from "@quire/ooxml/internal/picture/base64";
import type { Outcome } from "@quire/ooxml/internal/picture/outcome";
import { MAX_IMAGE_BYTES } from "@quire/ooxml/internal/picture/raster";
import pLimit from "p-limit";
import { DEFAULT_DOCUMENT_LIMITS } from "../budget.ts";
import type { DrawnSvg } from "./draw-svg.ts";
import type { DrawnWebp } from "./draw-webp.ts";
import type { Rasterize } from "./rasterize.ts";
import {
  type Drawing,
  drawingOf,
  isDrawnText,
  keyOf,
  type Reference,
  referenceOf,
} from "./sources.ts";

/** Images of the data that are ready for rendering, which is synchronous. */
export interface PreparedImages {
  /** The bytes of each file or URL, or the problem with it, by the `keyOf` of its reference. */
  readonly loaded: ReadonlyMap<string, Outcome<LoadedImage>>;
  /** Each SVG and WebP image, or the problem with it, by the hash of its bytes. */
  readonly drawn: ReadonlyMap<string, Outcome<DrawnImage>>;
  /** The steps of the document's budget that drawing took. */
  readonly steps: number;
}

/** An image of the data with its PNG. */
export type DrawnImage = DrawnSvg | DrawnWebp;

/** The sources of images to which the data refers, and the options for drawing them. */
export interface PrepareOptions {
  /** Reads `{type: "file", id}`. Without this function, such a value is a problem. */
  readonly readFile?: (id: string, signal?: AbortSignal) => Promise<Uint8Array>;
  /** Fetches `{type: "url", url}`. Without this function, such a value is a problem, and nothing is ever fetched. */
  readonly resolveUrl?: (url: string, signal?: AbortSignal) => Promise<Uint8Array>;
  /**
   * Draws the SVGs of the data and decodes its WebP images. Without this function, such an image is a problem.
   * `prepareImages` of `@quire/core` has one by default, which uses `@resvg/resvg-wasm` and `@cwasm/webp` in a thread.
   */
  readonly rasterize?: Rasterize;
  /**
   * Font files (TrueType or OpenType) for the text of SVGs, or a function that returns them, which is called if an SVG
   * has text. Pass the same list for all documents, because its fonts are parsed once. At most 100 files of 50 MB in
   * total. `readFontFolder` of `@quire/core` reads them from a folder. Without fonts, an SVG with text is a problem.
   */
  readonly fonts?: readonly Uint8Array[] | (() => Promise<readonly Uint8Array[]>);
  /**
   * The document's step limit, which drawing SVGs and decoding WebP images may use up. Default: as in `DocumentLimits`.
   */
  readonly steps?: number | undefined;
  /** Aborts loading and drawing. Also passed to `readFile` and `resolveUrl`. Default: nothing is aborted. */
  readonly signal?: AbortSignal;
}

const OPTIONS: OptionNames<PrepareOptions> = {
  readFile: true,
  resolveUrl: true,
  rasterize: true,
  fonts: true,
  steps: true,
  signal: true,
};

/** Maximum number of lists and objects to search for images. */
const MAX_OBJECTS = 10_000_000;

/**
 * Maximum number of files and URLs of one document, and maximum total size in bytes. All of them are in memory at once.
 */
const MAX_REFERENCES = 10_000;
const MAX_LOADED_BYTES = 256_000_000;

/** A file or the content of a URL. */
interface LoadedImage {
  /** The content. */
  readonly bytes: Uint8Array;
}

/** Maximum number of different SVGs and WebP images in one document. */
const MAX_DRAWN = 1_000;

/** Number of concurrent loads. */
const CONCURRENCY = 4;

const NOTHING: PreparedImages = { loaded: new Map(), drawn: new Map(), steps: 0 };

const TOO_MUCH = {
  problem:
    `is beyond the limit: the data of a document may refer to at most ${MAX_REFERENCES} files and URLs ` +
    `of ${MAX_LOADED_BYTES / 1_000_000} MB in total`,
} as const;

const NO_RASTERIZER: Readonly<Record<Drawing, { readonly problem: string }>> = {
  svg: {
    problem:
      "is an SVG, but there is no function to draw it: use prepareImages from @quire/core, or pass the option rasterize",
  },
  webp: {
    problem:
      "is a WebP image, but there is no function to decode it: use prepareImages from @quire/core, or pass the option rasterize",
  },
};

type Loaded = Outcome<{ readonly bytes: Uint8Array }>;

/**
 * Loads the files to which the data refers, draws its SVGs and decodes its WebP images, because rendering is
 * synchronous. A problem with an image is reported only when the image is used. Rejects with `aborted`, with
 * `limit_exceeded` for data that is too large to search, with `invalid_request` for a font that cannot be used, and with
 * retryable storage errors.
 */
export async function prepareImages(
  data: unknown,
  options: PrepareOptions,
): Promise<PreparedImages> {
  checkOptions("prepareImages()", options, OPTIONS);
  throwIfAborted(options.signal);
  const { references, texts } = findImages(data);
  if (references.size === 0 && texts.size === 0) return NOTHING;
  const loaded = await loadAll(references, options);
  const sources = [
    ...Array.from(texts, (text) => decodeBase64(text, startOfPayload(text))),
    ...Array.from(loaded.values()),
  ];
  return { loaded, ...(await drawAll(sources, options)) };
}

interface Found {
  readonly references: ReadonlyMap<string, Reference>;
  /** Images that must be drawn. */
  readonly texts: ReadonlySet<string>;
}

/** Finds the images in all own properties, at any depth. The data may contain cycles. */
function findImages(data: unknown): Found {
  const references = new Map<string, Reference>();
  const texts = new Set<string>();
  const seen = new Set<object>();
  const open: object[] = [];
  const look = (value: unknown): void => {
    if (typeof value === "string") {
      if (isDrawnText(value)) texts.add(value);
    } else if (isContainer(value) && !seen.has(value)) {
      seen.add(value);
      open.push(value);
    }
  };
  look(data);
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (seen.size > MAX_OBJECTS) throw tooManyObjects();
    const reference = referenceOf(value);
    if (reference !== null) references.set(keyOf(reference), reference);
    for (const child of Object.values(value)) look(child);
  }
  return { references, texts };
}

function isContainer(value: unknown): value is object {
  return typeof value === "object" && value !== null && !ArrayBuffer.isView(value);
}

function tooManyObjects(): QuireError {
  return new QuireError(
    "limit_exceeded",
    `The data is too large: it contains more than ${MAX_OBJECTS} lists and objects.`,
  );
}

async function loadAll(
  references: ReadonlyMap<string, Reference>,
  options: PrepareOptions,
): Promise<ReadonlyMap<string, Loaded>> {
  const limit = pLimit(CONCURRENCY);
  const loaded = new Map<string, Loaded>();
  let isTooMuch = references.size > MAX_REFERENCES;
  let size = 0;
  const loadOne = async ([key, reference]: [string, Reference]): Promise<void> => {
    const read = readerOf(reference, options);
    if (read === undefined || isTooMuch) return;
    const source = await load(read, reference, options.signal);
    size += "bytes" in source ? source.bytes.length : 0;
    isTooMuch ||= size > MAX_LOADED_BYTES;
    loaded.set(key, source);
  };
  try {
    await limit.map(references, loadOne);
  } finally {
    limit.clearQueue();
  }
  // All of them fail. Otherwise, it would depend on chance which of them were loaded.
  return isTooMuch ? new Map(Array.from(references.keys(), (key) => [key, TOO_MUCH])) : loaded;
}

function readerOf({ kind }: Reference, options: PrepareOptions): PrepareOptions["readFile"] {
  return kind === "file" ? options.readFile : options.resolveUrl;
}

async function load(
  read: NonNullable<PrepareOptions["readFile"]>,
  { kind, target }: Reference,
  signal: AbortSignal | undefined,
): Promise<Loaded> {
  throwIfAborted(signal);
  try {
    const bytes = await read(target, signal);
    return bytes.length > MAX_IMAGE_BYTES ? tooLarge() : { bytes };
  } catch (error) {
    throwIfAborted(signal);
    if (isQuireError(error) ? error.retryable : kind === "file") throw error;
    const why = isQuireError(error) ? ` (${error.code})` : "";
    return { problem: `is a ${kind === "file" ? "file" : "URL"} that cannot be read${why}` };
  }
}

async function drawAll(
  sources: readonly Loaded[],
  {
    rasterize,
    fonts: given = [],
    steps: most = DEFAULT_DOCUMENT_LIMITS.steps,
    signal,
  }: PrepareOptions,
): Promise<Pick<PreparedImages, "drawn" | "steps">> {
  const drawn = new Map<string, Outcome<DrawnImage>>();
  let steps = 0;
  const spend = (more: number): boolean => {
    if (steps + more > most) return false;
    steps += more;
    return true;
  };
  const fonts = async (): Promise<readonly Uint8Array[]> =>
    typeof given === "function" ? given() : given;
  for (const source of sources) {
    throwIfAborted(signal);
    const drawing = "problem" in source ? null : drawingOf(source.bytes);
    if ("problem" in source || drawing === null) continue;
    const key = contentHash(source.bytes);
    if (drawn.has(key)) continue;
    if (drawn.size >= MAX_DRAWN) {
      drawn.set(key, {
        problem: `is beyond the limit of ${MAX_DRAWN} SVGs and WebP images in a document`,
      });
      continue;
    }
    if (rasterize === undefined) {
      drawn.set(key, NO_RASTERIZER[drawing]);
      continue;
    }
    // Loaded only now, because few documents have such images.
    const draw =
      drawing === "svg"
        ? (await import("./draw-svg.ts")).drawSvg
        : (await import("./draw-webp.ts")).drawWebp;
    drawn.set(key, await draw(source.bytes, { rasterize, fonts, spend, signal }));
  }
  return { drawn, steps };
}
