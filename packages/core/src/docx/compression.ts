import type { Compression } from "./compile-options.ts";
import { MAX_TEXTS } from "./deflate/deflation.ts";
import type { Compressor } from "./deflate/pieces.ts";
import { ShortCompressor } from "./deflate/short-compressor.ts";
import { type StaticTexts, type TemplateCode, templateCode } from "./deflate/template-code.ts";
import { TemplateCompressor } from "./deflate/template-compressor.ts";
import { ZlibCompressor } from "./deflate/zlib-compressor.ts";

/** The levels of zlib; with `template`, for what the template does not know. */
export const ZLIB_LEVELS: Readonly<Record<Compression, number>> = {
  small: 6,
  fast: 1,
  template: 1,
};

/**
 * Parts with more text of their own than this, or in more pieces, are left to zlib: it takes a second and a half
 * to prepare so much.
 */
const MAX_BYTES = 3_000_000;

/** With more than this a part is not prepared for the sake of short documents alone. */
const MAX_FOR_SHORT = 200_000;

/** Has the compressors of one part of a template. */
export class PartCompression {
  /** Null when they are left to zlib. */
  readonly #statics: StaticTexts | null;
  readonly #isForShort: boolean;
  #code: TemplateCode | null = null;
  #idle: TemplateCompressor | null = null;

  /** `statics`: null for a part that is written by its data more than by its template. */
  constructor(statics: StaticTexts | null) {
    const bytes = statics?.texts.reduce((sum, text) => sum + text.bytes.length, 0) ?? 0;
    const isTooLarge = bytes > MAX_BYTES || (statics?.texts.length ?? 0) > MAX_TEXTS;
    this.#statics = isTooLarge ? null : statics;
    this.#isForShort = bytes <= MAX_FOR_SHORT;
  }

  /**
   * A compressor for one document, to be given back. What is prepared of a template is made when it is first
   * asked for, and not after some documents: the same data give the same bytes from the first on.
   */
  borrow(compression: Compression): Compressor {
    const level = ZLIB_LEVELS[compression];
    const statics = this.#statics;
    if (statics !== null && compression === "template") return this.#lend(statics);
    return statics !== null && this.#isForShort
      ? new ShortCompressor(level, () => this.#lend(statics))
      : new ZlibCompressor(level);
  }

  #lend(statics: StaticTexts): TemplateCompressor {
    this.#code ??= templateCode(statics);
    const idle = this.#idle ?? new TemplateCompressor(this.#code);
    this.#idle = null;
    return idle;
  }

  giveBack(compressor: Compressor): void {
    const lent = compressor instanceof ShortCompressor ? compressor.lent : compressor;
    if (!(lent instanceof TemplateCompressor)) return;
    lent.reset();
    this.#idle = lent;
  }
}
