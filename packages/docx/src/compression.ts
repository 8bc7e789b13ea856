import type { Compression } from "./compile-options.ts";
import { MAX_TEXTS } from "./deflate/deflation.ts";
import type { Compressor } from "./deflate/pieces.ts";
import { ShortCompressor } from "./deflate/short-compressor.ts";
import { type StaticTexts, type TemplateCode, templateCode } from "./deflate/template-code.ts";
import { TemplateCompressor } from "./deflate/template-compressor.ts";
import { ZlibCompressor } from "./deflate/zlib-compressor.ts";

/** zlib levels. With `template`, the level applies to the parts that are not compressed with a prepared template. */
export const ZLIB_LEVELS: Readonly<Record<Compression, number>> = {
  small: 6,
  fast: 1,
  template: 1,
};

/**
 * Parts with more bytes of template text than this, or with more than `MAX_TEXTS` texts, are compressed with zlib,
 * because preparing a part of this size takes 1.5 seconds.
 */
const MAX_BYTES = 3_000_000;

/** Parts with more bytes of template text than this are not prepared just to compress short documents. */
const MAX_FOR_SHORT = 200_000;

/** The compressors of one part of a template. */
export class PartCompression {
  /** The static texts of the part; null if zlib compresses them. */
  readonly #statics: StaticTexts | null;
  readonly #isForShort: boolean;
  #code: TemplateCode | null = null;
  #idle: TemplateCompressor | null = null;

  /** `statics`: null for a part that consists mostly of data. */
  constructor(statics: StaticTexts | null) {
    const bytes = statics?.texts.reduce((sum, text) => sum + text.bytes.length, 0) ?? 0;
    const isTooLarge = bytes > MAX_BYTES || (statics?.texts.length ?? 0) > MAX_TEXTS;
    this.#statics = isTooLarge ? null : statics;
    this.#isForShort = bytes <= MAX_FOR_SHORT;
  }

  /**
   * Lends a compressor for one document. Return it with {@link giveBack}. The template is prepared at its first use,
   * not after a number of documents, so that the same data always gives the same bytes.
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
