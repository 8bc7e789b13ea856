import { type Correction, rewrite } from "../rewrites.ts";
import { PATH } from "../written.ts";

/** The signs that authors put around a name, each with the one at its end. */
const AROUND = [
  ["#+", "#+"],
  [String.raw`\[+`, String.raw`\]+`],
  ["<+", String.raw`\/?>+`],
  ["@", "@"],
  [String.raw`\*+`, String.raw`\*+`],
  ["-+", "-+"],
  [String.raw`\|+`, String.raw`\|+`],
  [":", ":?"],
] as const;

/** Names with the signs of other programs around them: `[a.b]`, `<a.b>` and `#a.b#`. */
export const SIGNS_AROUND: readonly Correction[] = AROUND.map(([before, after]) =>
  rewrite(String.raw`^${before}\s*(${PATH})\s*${after}$`, ([, path = ""], { text }) =>
    // A single name in brackets may be a key with quotes.
    /^\[[^[.]+\]$/.test(text) ? null : path,
  ),
);
