import type { PooledTemplate } from "./pooled-template.ts";

/** A template in the memory of one process. */
export interface HeldTemplate {
  /** The template's number in the process. */
  readonly id: number;
  /** The template that was sent. Once it is compiled, equal templates share it. */
  readonly owner: PooledTemplate;
  isCompiled: boolean;
}

/** The templates in the memory of one process. The pool knows them exactly, because it decides which ones to keep. */
export interface HeldTemplates {
  /** Returns the template, or an equal one, that the process holds, or null. */
  find(template: PooledTemplate): HeldTemplate | null;
  /** Whether the process has compiled the template or an equal one. */
  hasCompiled(template: PooledTemplate): boolean;
  /** Adds a template. `forgotten` contains the numbers of the templates to remove first, least recently used first. */
  add(template: PooledTemplate): { readonly held: HeldTemplate; readonly forgotten: number[] };
  /**
   * Gives the template a unique key. Must be called when it turns out to include others, which its key does not cover.
   */
  rename(held: HeldTemplate): void;
}

/**
 * Creates an empty collection. It holds at most `maxCount` templates and `maxBytes` of files, but always the last one.
 * An `LRUCache` cannot be used: old templates, one of which may have the same key, must be removed before the new one
 * is added, and all removed templates must be reported.
 */
export function heldTemplates(maxCount: number, maxBytes: number): HeldTemplates {
  /** The templates by key, least recently used first. */
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
      // Before a template is compiled, its includes are unknown, so only its owner may use it.
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
