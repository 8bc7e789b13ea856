import {
  assertLimit,
  parseMarker,
  type RecordPage,
  type TemplateQuery,
  type TemplateRecord,
  type TemplateStore,
  toMarker,
} from "@quire/contracts";

/**
 * Creates a template store in memory: the reference implementation of the port, for tests and trials. It does not have
 * to be closed.
 */
export function memoryTemplateStore(): TemplateStore {
  return new MemoryTemplateStore();
}

interface Marked {
  /** Grows with each mark: a stable position in listings. */
  readonly number: number;
  readonly template: TemplateRecord;
}

class MemoryTemplateStore implements TemplateStore {
  /** The marked files, by tenant and file. */
  readonly #marked = new Map<string, Marked>();
  #last = 0;

  async mark(template: Omit<TemplateRecord, "markedAt">): Promise<TemplateRecord> {
    const { tenant, fileId, markedBy } = template;
    const known = this.#marked.get(keyOf(tenant, fileId));
    if (known !== undefined) return known.template;
    this.#last += 1;
    const kept = { tenant, fileId, markedBy, markedAt: Date.now() };
    this.#marked.set(keyOf(tenant, fileId), { number: this.#last, template: kept });
    return kept;
  }

  async unmark(tenant: string, fileId: string): Promise<boolean> {
    return this.#marked.delete(keyOf(tenant, fileId));
  }

  async eraseTenant(tenant: string): Promise<number> {
    const own = [...this.#marked].filter(([, { template }]) => template.tenant === tenant);
    for (const [key] of own) this.#marked.delete(key);
    return own.length;
  }

  async find(tenant: string, fileId: string): Promise<TemplateRecord | null> {
    return this.#marked.get(keyOf(tenant, fileId))?.template ?? null;
  }

  async list(
    tenant: string,
    { limit, marker }: TemplateQuery,
  ): Promise<RecordPage<TemplateRecord>> {
    assertLimit(limit);
    const listing = `templates ${tenant}`;
    const [before = Number.POSITIVE_INFINITY] = parseMarker(listing, marker, ["number"]);
    const rest = [...this.#marked.values()]
      .filter(({ number, template }) => template.tenant === tenant && number < Number(before))
      .reverse();
    const page = rest.slice(0, limit);
    const end = rest.length > limit ? page.at(-1) : undefined;
    return {
      items: page.map(({ template }) => template),
      nextMarker: end === undefined ? null : toMarker(listing, [end.number]),
    };
  }
}

function keyOf(tenant: string, fileId: string): string {
  return JSON.stringify([tenant, fileId]);
}
