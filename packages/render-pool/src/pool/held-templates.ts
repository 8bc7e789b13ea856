import type { PooledTemplate } from "./pooled-template.ts";

/** A template in the memory of one process. */
export interface HeldTemplate {
  /** The template's number in the process. */
  readonly id: number;
  /** The template that was sent. Equal templates share it once it is compiled. */
  readonly owner: PooledTemplate;
  isCompiled: boolean;
}

/** The templates in the memory of one process. The pool knows them exactly, because it decides which ones are kept. */
export interface HeldTemplates {
  /** The template, if the process has it or an equal one. */
  find(template: PooledTemplate): HeldTemplate | null;
  /** Whether the process has compiled the template, or an equal one. */
  hasCompiled(template: PooledTemplate): boolean;
  /** Adds a template. `forgotten`: the numbers of the templates to remove first, least recently used first. */
  add(template: PooledTemplate): { readonly held: HeldTemplate; readonly forgotten: number[] };
  /** Call it when a template turns out to include others, which its key does not cover: it gets a unique key. */
  rename(held: HeldTemplate): void;
}

/**
 * Creates an empty collection. An `LRUCache` cannot be used: templates must be removed before the new one is added,
 * which may have the key of an old one, and all removed templates must be reported. Holds at most `maxCount` templates
 * and `maxBytes` of files, but always the last one.
 */
export function heldTemplates(maxCount: number, maxBytes: number): HeldTemplates {
  /** By key, the least recently used first. */
  const all = new Map<string, HeldTemplate>();
  let bytes = 0;
  let lastId = 0;
  const use = (key: string, held: HeldTemplate): void => {
    all.delete(key);
    all.set(key, held);
  };
  return {
    find(template) {
      const first = all.get(template.contentKey);
      if (first?.owner === template) {
        use(template.contentKey, first);
        return first;
      }
      const held = all.get(template.key);
      if (held === undefined) return null;
      // Before a template is compiled, its included templates are unknown, so only its owner may use it.
      if (!held.isCompiled && held.owner !== template) {
        template.keepApart();
        return null;
      }
      use(template.key, held);
      return held;
    },
    hasCompiled: ({ key }) => all.get(key)?.isCompiled === true,
    add(template) {
      const forgotten: number[] = [];
      bytes += template.size;
      for (const [key, { id, owner }] of all) {
        if (all.size < maxCount && bytes <= maxBytes) break;
        all.delete(key);
        bytes -= owner.size;
        forgotten.push(id);
      }
      lastId += 1;
      const held = { id: lastId, owner: template, isCompiled: false };
      all.set(template.key, held);
      return { held, forgotten };
    },
    rename(held) {
      const { owner } = held;
      if (all.get(owner.contentKey) !== held) return;
      all.delete(owner.contentKey);
      owner.keepApart();
      all.set(owner.key, held);
    },
  };
}
