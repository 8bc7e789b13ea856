import type { ConverterJoining } from "@quire/core/host";
import { Counter, type Registry } from "prom-client";

/** Registers counters for the documents of groups, and for the groups that are no longer converted together. */
export function createJoiningCounters(
  registry: Registry,
  joining: () => ConverterJoining | null,
): void {
  new Counter({
    name: "quire_converter_documents_total",
    help: "PDFs of batches, by whether the converter made them together with others (joined) or not (separate).",
    labelNames: ["way"],
    registers: [registry],
    collect() {
      const { joined = 0, separate = 0 } = joining() ?? {};
      this.reset();
      this.inc({ way: "joined" }, joined);
      this.inc({ way: "separate" }, separate);
    },
  });
  new Counter({
    name: "quire_converter_refused_groups_total",
    help: "Batches whose documents the converter no longer converts together, by reason.",
    labelNames: ["reason"],
    registers: [registry],
    collect() {
      this.reset();
      for (const [reason, groups] of Object.entries(joining()?.refused ?? {}))
        this.inc({ reason }, groups);
    },
  });
}
