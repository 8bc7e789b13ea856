import type { Compression } from "@quire/core";
import { withImages } from "../scenarios/scenario.ts";
import { QUIRE } from "../word/syntax.ts";
import type { Engine } from "./engine.ts";

/** Returns Quire with one level of compression, used through its public functions: compiled once, rendered often. */
export function quire(compression: Compression): Engine {
  return {
    name: `quire-${compression}`,
    title: `Quire, ${compression}`,
    syntax: QUIRE,
    can: new Set(["images", "html"]),
    load: async () => {
      const { compileTemplate } = await import("@quire/core");
      return {
        adapt: (data) => withImages(data, ({ pngBase64 }) => pngBase64),
        open: async (bytes) => {
          const template = await compileTemplate(bytes);
          return (data) => template.render(data, { compression }).bytes;
        },
      };
    },
  };
}
