import type { Loop, Tag } from "./blocks.ts";

/** The syntax of an engine's tags. */
export interface Syntax {
  /** The suffix of the template's file name. Engines with the same syntax share a template. */
  readonly name: string;
  value(tag: Tag): string;
  /** Returns the tags before and after a condition. Each of them is in a separate paragraph. */
  condition(key: string): readonly [start: string, end: string];
  /** Returns the tags at the start and the end of a repeated row. */
  row(loop: Loop): readonly [start: string, end: string];
  /**
   * Where the tags of a repeated row are: in the first and last cell of the row, in separate rows before and after it,
   * or, for a single tag, in the row after it.
   */
  readonly rowTags: "in-cells" | "own-rows" | "row-after";
}

/** The syntax of docxtemplater and easy-template-x: `{name}` and `{#items}…{/items}`. */
export const CURLY: Syntax = {
  name: "curly",
  value: ({ key }) => `{${key}}`,
  condition: (key) => [`{#${key}}`, `{/${key}}`],
  row: ({ list }) => [`{#${list}}`, `{/${list}}`],
  rowTags: "in-cells",
};

/** The syntax of Quire: `{{name}}` and `{{tablerow item in items}}…{{endtablerow}}`. */
export const QUIRE: Syntax = {
  name: "quire",
  value: ({ prints, key, of }) => {
    const path = of === null ? key : `${of.item}.${key}`;
    if (prints === "image") return `{{${path} :: width("3cm")}}`;
    return prints === "html" ? `{{${path} :: html}}` : `{{${path}}}`;
  },
  condition: (key) => [`{{if ${key}}}`, "{{endif}}"],
  row: ({ list, item }) => [`{{tablerow ${item} in ${list}}}`, "{{endtablerow}}"],
  rowTags: "in-cells",
};

/** The syntax of docx-templates: `+++=name+++` and `+++FOR item IN items+++`. */
export const PLUSES: Syntax = {
  name: "pluses",
  value: ({ prints, key, of }) => {
    const path = of === null ? key : `$${of.item}.${key}`;
    return { text: `+++=${path}+++`, image: `+++IMAGE ${path}+++`, html: `+++HTML ${path}+++` }[
      prints
    ];
  },
  condition: (key) => [`+++IF ${key}+++`, "+++END-IF+++"],
  row: ({ list, item }) => [`+++FOR ${item} IN ${list}+++`, `+++END-FOR ${item}+++`],
  rowTags: "own-rows",
};

/** The syntax of docxtpl, which uses Jinja: `{{name}}` and `{%tr for item in items %}`. */
export const JINJA: Syntax = {
  name: "jinja",
  value: ({ key, of }) => `{{${of === null ? key : `${of.item}.${key}`}}}`,
  condition: (key) => [`{%p if ${key} %}`, "{%p endif %}"],
  row: ({ list, item }) => [`{%tr for ${item} in ${list} %}`, "{%tr endfor %}"],
  rowTags: "own-rows",
};

/** The syntax of Carbone: `{d.name}` and `{d.items[i].name}`, with `{d.items[i+1]}` in the next row. */
export const BRACES: Syntax = {
  name: "braces",
  value: ({ key, of }) => `{d.${of === null ? key : `${of.list}[i].${key}`}}`,
  condition: (key) => [`{d.${key}:ifEQ(true):showBegin}`, `{d.${key}:showEnd}`],
  row: ({ list }) => ["", `{d.${list}[i+1]}`],
  rowTags: "row-after",
};
