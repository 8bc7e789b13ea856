import type { Loop, Tag } from "./blocks.ts";

/** The spelling of an engine's tags. */
export interface Syntax {
  /** The suffix of the file's name: engines with the same spelling share a template. */
  readonly name: string;
  value(tag: Tag): string;
  /** The tags before and after a condition, each in a separate paragraph. */
  condition(key: string): readonly [start: string, end: string];
  /** The tags at the start and the end of a repeated row. */
  row(loop: Loop): readonly [start: string, end: string];
  /**
   * The location of these tags: in the first and last cell of the row, in rows before and after it, or only a tag in
   * the row after it.
   */
  readonly rowTags: "in-cells" | "own-rows" | "row-after";
}

/** `{name}` and `{#items}…{/items}`: docxtemplater and easy-template-x. */
export const CURLY: Syntax = {
  name: "curly",
  value: ({ key }) => `{${key}}`,
  condition: (key) => [`{#${key}}`, `{/${key}}`],
  row: ({ list }) => [`{#${list}}`, `{/${list}}`],
  rowTags: "in-cells",
};

/** `{{name}}` and `{{tablerow item in items}}…{{endtablerow}}`: Quire. */
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

/** `+++=name+++` and `+++FOR item IN items+++`: docx-templates. */
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

/** `{{name}}` and `{%tr for item in items %}`: docxtpl, which is Jinja. */
export const JINJA: Syntax = {
  name: "jinja",
  value: ({ key, of }) => `{{${of === null ? key : `${of.item}.${key}`}}}`,
  condition: (key) => [`{%p if ${key} %}`, "{%p endif %}"],
  row: ({ list, item }) => [`{%tr for ${item} in ${list} %}`, "{%tr endfor %}"],
  rowTags: "own-rows",
};

/** `{d.name}` and `{d.items[i].name}`, with `{d.items[i+1]}` in the row after: Carbone. */
export const BRACES: Syntax = {
  name: "braces",
  value: ({ key, of }) => `{d.${of === null ? key : `${of.list}[i].${key}`}}`,
  condition: (key) => [`{d.${key}:ifEQ(true):showBegin}`, `{d.${key}:showEnd}`],
  row: ({ list }) => ["", `{d.${list}[i+1]}`],
  rowTags: "row-after",
};
