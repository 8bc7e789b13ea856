import type { QuireError } from "@quire/core";
import { SaxesParser } from "saxes";
import { notXlsx, tooLarge } from "./archive.ts";

/** The elements in the parts of a real workbook are nested about 20 levels deep at most. */
const MAX_DEPTH = 100;
/** Longer text or a longer tag is rejected before it fills the memory. */
const MAX_TOKEN = 32_000_000;

/** Receives the events of a parsed part. Names are without their prefixes. */
export interface XmlHandler {
  /** Called for a start tag. `path` contains the enclosing elements, from the root. */
  open?(name: string, attributes: Attributes, path: readonly string[]): void;
  /** Called for text. `path` contains the elements that enclose the text, from the root. */
  text?(text: string, path: readonly string[]): void;
  /** Called for an end tag. `path` contains the elements that enclose the closed element, from the root. */
  close?(name: string, path: readonly string[]): void;
}

export type Attributes = Readonly<Record<string, string | undefined>>;

/** The file and the part, for messages. */
export interface XmlPlace {
  readonly label: string;
  readonly part: string;
}

/**
 * Reads XML as a stream. Calls `taken` after each chunk, and yields the items that `taken` returns. Rejects a document
 * type and entities that XML does not define. Throws `invalid_data`, `limit_exceeded`, and the errors of the handler.
 */
export async function* parseXml<T>(
  { label, part }: XmlPlace,
  content: AsyncIterable<Uint8Array>,
  handler: XmlHandler,
  taken: () => readonly T[],
): AsyncGenerator<T, void, undefined> {
  const path: string[] = [];
  let sinceToken = 0;
  const wrong = (why: string, cause?: unknown): QuireError =>
    notXlsx(label, `its part ${part} is ${why}`, cause);
  const parser = new SaxesParser({ xmlns: false, position: false });
  parser.on("error", (cause) => {
    throw wrong("not valid XML", cause);
  });
  parser.on("doctype", () => {
    throw wrong("hostile: it declares a document type");
  });
  parser.on("opentag", ({ name, attributes }) => {
    sinceToken = 0;
    if (path.length === MAX_DEPTH) throw wrong(`nested deeper than ${MAX_DEPTH} levels`);
    const local = localName(name);
    handler.open?.(local, attributes, path);
    path.push(local);
  });
  const text = (characters: string): void => handler.text?.(characters, path);
  parser.on("text", text);
  parser.on("cdata", text);
  parser.on("closetag", () => {
    sinceToken = 0;
    const name = path.pop() ?? "";
    handler.close?.(name, path);
  });
  for await (const piece of decoded(content, wrong)) {
    sinceToken += piece.length;
    if (sinceToken > MAX_TOKEN) {
      throw tooLarge(label, `a string in its part ${part} has more than ${MAX_TOKEN} characters`);
    }
    parser.write(piece);
    yield* taken();
  }
  parser.close();
  yield* taken();
}

/** Reads XML with a handler, without yielding items. */
export async function readXml(
  place: XmlPlace,
  content: AsyncIterable<Uint8Array>,
  handler: XmlHandler,
): Promise<void> {
  for await (const _ of parseXml(place, content, handler, () => [])) {
    // There is nothing to yield.
  }
}

/** Returns the attribute with this name and any prefix. */
export function attributeOf(attributes: Attributes, name: string): string | undefined {
  return (
    attributes[name] ?? Object.entries(attributes).find(([key]) => key.endsWith(`:${name}`))?.[1]
  );
}

function localName(name: string): string {
  return name.slice(name.indexOf(":") + 1);
}

async function* decoded(
  content: AsyncIterable<Uint8Array>,
  wrong: (why: string, cause?: unknown) => QuireError,
): AsyncGenerator<string, void, undefined> {
  let decoder: TextDecoderLike | null = null;
  const decode = (bytes: Uint8Array, stream: boolean): string => {
    decoder ??= new TextDecoder(encodingOf(bytes), { fatal: true });
    try {
      return decoder.decode(bytes, { stream });
    } catch (cause) {
      throw wrong("not UTF-8 or UTF-16 text", cause);
    }
  };
  for await (const bytes of content) yield decode(bytes, true);
  yield decode(new Uint8Array(), false);
}

interface TextDecoderLike {
  decode(bytes: Uint8Array, options: { readonly stream: boolean }): string;
}

function encodingOf([first, second]: Uint8Array): string {
  if (first === 0xff && second === 0xfe) return "utf-16le";
  return first === 0xfe && second === 0xff ? "utf-16be" : "utf-8";
}
