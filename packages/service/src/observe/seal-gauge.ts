import type { ConverterSeal } from "@quire/core/host";
import { Gauge, type Registry } from "prom-client";

/** Registers a gauge for the tested layers of the converter's seal. */
export function createSealGauge(registry: Registry, seal: () => ConverterSeal | null): void {
  new Gauge({
    name: "quire_converter_seal",
    help: "Whether a layer of the converter's seal works (1) or not (0), according to a test, by layer.",
    labelNames: ["layer"],
    registers: [registry],
    collect() {
      for (const [layer, holds] of Object.entries(seal() ?? {})) {
        this.set({ layer }, holds ? 1 : 0);
      }
    },
  });
}
