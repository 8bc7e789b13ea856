import { Gauge, type Registry } from "prom-client";
import { QUOTA_NAMES, type QuotaName, type Quotas } from "../limits/quotas.ts";

/** The values that the gauges show. */
export interface QuotaFacts {
  /** The limits of a tenant without custom quotas. */
  readonly limits: Quotas;
  /** Returns the highest usage of any tenant, by quota. Omits quotas that are not counted. */
  readonly most: () => Promise<Partial<Quotas>>;
}

/** Registers gauges of quotas and of their highest usage. `failed` is called when the usage cannot be read. */
export function createQuotaGauges(
  registry: Registry,
  { limits, most }: QuotaFacts,
  failed: () => void,
): void {
  const registers = [registry];
  const limit = new Gauge({
    name: "quire_quota_limit",
    help: "The limit of a tenant without custom quotas, by quota.",
    labelNames: ["quota"],
    registers,
  });
  for (const quota of QUOTA_NAMES) limit.set({ quota }, limits[quota]);
  new Gauge({
    name: "quire_quota_most_used",
    help: "The highest usage of any tenant, by quota.",
    labelNames: ["quota"],
    registers,
    async collect() {
      try {
        const used = Object.entries(await most()) as [QuotaName, number][];
        for (const [quota, value] of used) this.set({ quota }, value);
      } catch {
        this.reset();
        failed();
      }
    },
  });
}
