import { PDFArray, PDFDict, type PDFObject } from "../read/pdf-lib.ts";
import { key } from "../read/pdf-objects.ts";
import type { ObjectCopier } from "./packet-copy.ts";
import type { PacketFile } from "./packet-file.ts";

/** Lists in the layer configuration that are concatenated from all sources. */
const LISTS = ["Order", "RBGroups", "Locked", "AS"] as const;

/** The layers of a source as text: all layers, the hidden layers, and the lists that refer to them. */
export type CopiedLayers = ReadonlyMap<string, readonly string[]>;

/** Copies the layers of a source and their visibility. Returns null if the source has no layers. */
export function copyLayers(copier: ObjectCopier): CopiedLayers | null {
  const properties = copier.source.catalog.lookup(key("OCProperties"));
  if (!(properties instanceof PDFDict)) return null;
  const lookup = (object: PDFObject | undefined) => copier.source.context.lookup(object);
  const listed = (object: PDFObject | undefined): string[] => {
    const found = lookup(object);
    return found instanceof PDFArray ? found.asArray().map((each) => copier.text(each)) : [];
  };
  const layers = listed(properties.get(key("OCGs")));
  const found = lookup(properties.get(key("D")));
  const shown = found instanceof PDFDict ? found : null;
  const on = new Set(listed(shown?.get(key("ON"))));
  const off =
    shown?.get(key("BaseState")) === key("OFF")
      ? layers.filter((layer) => !on.has(layer))
      : listed(shown?.get(key("OFF")));
  const lists = LISTS.map((name) => [name, listed(shown?.get(key(name)))] as const);
  return new Map<string, readonly string[]>([["OCGs", layers], ["OFF", off], ...lists]);
}

/** The layers of a packet: the layers of all sources, with their visibility. */
export class PacketLayers {
  readonly #lists = new Map<string, string[]>();

  add(layers: CopiedLayers): void {
    for (const [name, items] of layers) {
      const list = this.#lists.get(name) ?? [];
      this.#lists.set(name, list);
      for (const item of items) list.push(item);
    }
  }

  /** Writes the layers and returns their entry for the catalog. */
  async finish(file: PacketFile): Promise<string> {
    const { OCGs: layers = [], ...lists } = Object.fromEntries(this.#lists);
    if (layers.length === 0) return "";
    const shown = Object.entries(lists).map(([name, items]) => `/${name}[${items.join(" ")}]`);
    const number = file.reserve();
    const text = `<</OCGs[${layers.join(" ")}]/D<<${shown.join("")}>>>>`;
    await file.put({ number, text, stream: null });
    return `/OCProperties ${number} 0 R`;
  }
}
