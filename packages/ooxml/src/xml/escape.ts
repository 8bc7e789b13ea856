import { Buffer } from "node:buffer";
import { unescapedText } from "./unescape.ts";

/** Escapes text between tags. Also escapes `>`, so that each `>` in a part ends a tag. */
export function escapeText(text: string): string {
  return /[&<>]/.test(text)
    ? text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")
    : text;
}

const ATTRIBUTE_ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "\t": "&#9;",
  "\n": "&#10;",
  "\r": "&#13;",
};

/** Escapes the value of an attribute in double quotes. */
export function escapeAttribute(value: string): string {
  return /[&<>"\t\n\r]/.test(value)
    ? value.replace(/[&<>"\t\n\r]/g, (character) => ATTRIBUTE_ESCAPES[character] ?? character)
    : value;
}

/** Unescapes XML text in the form that `canonicalXml` writes. */
export function unescapeText(xml: string): string {
  return xml
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&#13;", "\r")
    .replaceAll("&amp;", "&");
}

/** Unescapes any XML text. References to unknown entities are kept. */
export function unescapeXml(xml: string): string {
  if (!xml.includes("&")) return xml;
  const bytes = Buffer.from(xml);
  return unescapedText(bytes, 0, bytes.length);
}
