/** WebP images of 20 by 10 pixels. `cwebp` wrote them from {@link webpPixel}; the lossy ones with quality 90. */
export const WEBP = {
  lossy: Buffer.from(
    "UklGRowAAABXRUJQVlA4IIAAAABwBACdASoUAAoAPjEWiUKiISEYBAAgAwS2AE6ZQjgbwDeAuwAB0SyoeFzKiAD+/usZ0Q0S" +
      "xEIQhV/YJOP/s9jTB7uf/lt9+Vzn+WjyJh/+Vfr/M880Zn/ENH/zb9JJND4pwZZMaVZ1eFIAsLICTWFH854j/ck/UtAQlbIp" +
      "+s5wAA==",
    "base64",
  ),
  /** The lower half is half transparent. */
  lossless: Buffer.from(
    "UklGRjIAAABXRUJQVlA4TCYAAAAvE0ACEJmM6H9sIqL/AYVsI0CnMX/Z+wCGYQCnbAIkxQnuQAu4Aw==",
    "base64",
  ),
  /** A `VP8X` file, lossy, whose lower half is half transparent. */
  alpha: Buffer.from(
    "UklGRsAAAABXRUJQVlA4WAoAAAAQAAAAEwAACQAAQUxQSBgAAAABD/Cy/4iIQJhtNIP50+53pxDR/wngLTdWUDggggAAANAE" +
      "AJ0BKhQACgA+MRaJQqIhIRgEACADBLYATplCOBvAN4C7AOvAAeP4MwzwCCUAAP7+6xnRDRLEQhCFX9gk4/+z2NMHu5/+Z838" +
      "ua2NflzXr/EX/yK8/0SJNrP9Eib5t+kYOVr1nOp2PO0uJEvkfIyuSYn856upd32mCHvrA9yjgAA=",
    "base64",
  ),
} as const;

/** An animation of two frames. */
export const WEBP_ANIMATION = Buffer.from(
  "UklGRqIAAABXRUJQVlA4WAoAAAACAAAAEwAACQAAQU5JTQYAAAD/////AABBTk1GNgAAAAAAAAAAABMAAAkAAGQAAABWUDhM" +
    "HgAAAC8TQAIAmYzof2wiov8BIQHhhv9nJXkYBjAmAKmUZUFOTUY4AAAAAAAAAAAAEwAACQAAZAAAAFZQOEwgAAAALxNAAgCZ" +
    "jOh/bCIK0f+AkIBww/+zknz6/wGMCWAoZRk=",
  "base64",
);

/** Returns the color (RGBA) from which the images were made. The lossy ones differ a little. */
export function webpPixel(x: number, y: number, isOpaque: boolean): number[] {
  return [x * 12, y * 25, 128, isOpaque || y < 5 ? 255 : 100];
}

/** Returns a chunk of a WebP file. */
export function webpChunk(type: string, content: Uint8Array): Buffer {
  const head = Buffer.alloc(8);
  head.write(type, "latin1");
  head.writeUInt32LE(content.length, 4);
  return Buffer.concat([head, content, Buffer.alloc(content.length % 2)]);
}

/** Returns a WebP file of these chunks. */
export function webpFile(...chunks: readonly Uint8Array[]): Buffer {
  return webpChunk("RIFF", Buffer.concat([Buffer.from("WEBP"), ...chunks]));
}

/**
 * Returns the chunks of {@link WEBP.lossless} after a `VP8X` chunk with this size and these flags, and before others.
 */
export function extendedWebp(
  { width = 20, height = 10, flags = 0 }: { width?: number; height?: number; flags?: number },
  ...more: readonly Uint8Array[]
): Buffer {
  const extended = Buffer.alloc(10);
  extended[0] = flags;
  extended.writeUIntLE(width - 1, 4, 3);
  extended.writeUIntLE(height - 1, 7, 3);
  return webpFile(webpChunk("VP8X", extended), WEBP.lossless.subarray(12), ...more);
}

/** Returns a file that declares this size. It has no pixels. */
export function emptyWebp(width: number, height: number): Buffer {
  const content = Buffer.alloc(6);
  content[0] = 0x2f;
  content.writeUInt32LE(((height - 1) << 14) | (width - 1), 1);
  return webpFile(webpChunk("VP8L", content));
}
