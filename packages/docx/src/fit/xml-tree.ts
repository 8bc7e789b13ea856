/** An element of canonical XML, with its place in the text. */
export interface XmlElement {
  readonly name: string;
  /** The attributes as written, with a space before each. */
  readonly attributes: string;
  /** Where its start tag begins, and where its content begins. */
  readonly start: number;
  readonly inner: number;
  /** Where its content ends, and where its end tag ends. */
  innerEnd: number;
  end: number;
  readonly children: XmlElement[];
}

/** Reads canonical XML, in which `<` and `>` occur only around tags. Text is not read: see the places of an element. */
export function readElements(xml: string): XmlElement {
  const root: XmlElement = {
    name: "",
    attributes: "",
    start: 0,
    inner: 0,
    innerEnd: xml.length,
    end: xml.length,
    children: [],
  };
  const open = [root];
  for (let at = xml.indexOf("<"); at !== -1; ) {
    const close = xml.indexOf(">", at) + 1;
    if (close === 0) break;
    if (xml[at + 1] === "/") {
      const ended = open.length > 1 ? open.pop() : undefined;
      if (ended !== undefined) Object.assign(ended, { innerEnd: at, end: close });
    } else if (xml[at + 1] !== "?") {
      const isEmpty = xml[close - 2] === "/";
      const made = elementAt(xml.slice(at + 1, close - (isEmpty ? 2 : 1)), at, close);
      open.at(-1)?.children.push(made);
      if (!isEmpty) open.push(made);
    }
    at = xml.indexOf("<", close);
  }
  return root;
}

function elementAt(tag: string, start: number, inner: number): XmlElement {
  const space = tag.indexOf(" ");
  return {
    name: space === -1 ? tag : tag.slice(0, space),
    attributes: space === -1 ? "" : tag.slice(space),
    start,
    inner,
    innerEnd: inner,
    end: inner,
    children: [],
  };
}

/** Returns the first child with this name, or undefined. */
export function childOf(parent: XmlElement | undefined, name: string): XmlElement | undefined {
  return parent?.children.find((each) => each.name === name);
}

/** Returns the value of an attribute as written, or undefined. */
export function attributeOf(element: XmlElement | undefined, name: string): string | undefined {
  const { attributes = "" } = element ?? {};
  const start = attributes.indexOf(` ${name}="`);
  if (start === -1) return undefined;
  const from = start + name.length + 3;
  return attributes.slice(from, attributes.indexOf('"', from));
}

/** Returns the number in an attribute, which may have decimals; undefined if it has none. */
export function numberOf(element: XmlElement | undefined, name: string): number | undefined {
  const value = attributeOf(element, name) ?? "";
  return /^-?\d{1,9}(?:\.\d{1,9})?$/.test(value) ? Number(value) : undefined;
}

/** Returns text without the escapes of canonical XML. */
export function unescaped(text: string): string {
  if (!text.includes("&")) return text;
  return text.replace(
    /&(?:(amp|lt|gt|quot|apos)|#(x?)([\da-fA-F]{1,6}));/g,
    (all, name, hex, digits) => {
      if (name !== undefined) return NAMED[name as keyof typeof NAMED];
      const code = Number.parseInt(digits, hex === "" ? 10 : 16);
      return code <= 0x10ffff ? String.fromCodePoint(code) : all;
    },
  );
}

const NAMED = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" } as const;
