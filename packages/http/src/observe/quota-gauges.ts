import { Gauge, type Registry } from "prom-client";
import { QUOTA_NAMES, type QuotaName, type Quotas } from "../quotas.ts";

/** What is told of quotas. */
export interface QuotaFacts {
  /** Of a tenant of which nothing else is said. */
  readonly limits: Quotas;
  /** The most that any tenant has of each, as far as it is counted. */
  readonly most: () => Promise<Partial<Quotas>>;
}

/** Registers what quotas are, and how near to them tenants have come. `failed` is called when that cannot be learnt. */
export function createQuotaGauges(
  registry: Registry,
  { limits, most }: QuotaFacts,
  failed: () => void,
): void {
  const registers = [registry];
  const limit = new Gauge({
    name: "quire_quota_limit",
    help: "What a tenant may have that has no quotas of its own, by quota.",
    labelNames: ["quota"],
    registers,
  });
  for (const quota of QUOTA_NAMES) limit.set({ quota }, limits[quota]);
  new Gauge({
    name: "quire_quota_most_used",
    help: "The most that any tenant has, by quota.",
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
