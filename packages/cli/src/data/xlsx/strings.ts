import { tooLarge } from "./archive.ts";
import { readXml, type XmlHandler, type XmlPlace } from "./xml.ts";

/** Limits, because all shared strings are kept in memory. */
const MAX_CHARACTERS = 256_000_000;
const MAX_TEXTS = 16_000_000;

/** Reads the strings that cells refer to by number. Throws `invalid_data` or `limit_exceeded`. */
export async function readStrings(
  place: XmlPlace,
  content: AsyncIterable<Uint8Array>,
): Promise<readonly string[]> {
  const texts: string[] = [];
  const reader = new RichText();
  let characters = 0;
  const handler: XmlHandler = {
    open(name, _attributes, path) {
      if (path.length === 1 && name === "si") reader.begin();
    },
    text: (text, path) => reader.add(text, path),
    close(name, path) {
      if (path.length !== 1 || name !== "si") return;
      const text = reader.take();
      characters += text.length;
      if (characters > MAX_CHARACTERS || texts.length === MAX_TEXTS) {
        throw tooLarge(
          place.label,
          `its strings have more than ${MAX_CHARACTERS} characters in total, or there are more than ${MAX_TEXTS} strings`,
        );
      }
      texts.push(text);
    },
  };
  await readXml(place, content, handler);
  return texts;
}

/** Text with several runs, without the readings (phonetic runs) of East Asian text. */
export class RichText {
  #pieces: string[] = [];

  begin(): void {
    this.#pieces = [];
  }

  add(text: string, path: readonly string[]): void {
    if (path.at(-1) === "t" && !path.includes("rPh")) this.#pieces.push(text);
  }

  take(): string {
    const text = unescaped(this.#pieces.join(""));
    this.#pieces = [];
    return text;
  }
}

/** Replaces escapes such as `_x000D_`, which stand for characters that XML cannot contain, with those characters. */
export function unescaped(text: string): string {
  return text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
}
