import type { Wording } from "../language/delimiters/wording.ts";
import type { Op } from "../program/ops.ts";
import type { TextOp } from "../program/tag-ops.ts";
import { safeLink } from "../values/rich/link.ts";
import { placeOf } from "./evaluate/context/pointers.ts";
import { evaluateTag, type PrintContext } from "./evaluate/print-tag.ts";
import type { Rendering } from "./rendering.ts";
import { printFlat } from "./rich.ts";

/** The target of a link whose address is not allowed. */
export const NOWHERE = "about:blank";

/** Reports that the value of a tag is not an address for a link. */
export function warnOfAddress(
  { origin, expression }: Pick<TextOp, "origin" | "expression">,
  { env, diagnostics }: PrintContext,
  hint: () => Wording | null = () => null,
): void {
  diagnostics.warn(
    origin,
    "unsafe_link",
    `The value for the tag ${origin.text} is not a valid link address (http, https, mailto or tel, at most 2,083 characters), so the document has no link there.`,
    placeOf(expression, env),
    hint,
  );
}

/**
 * Returns the address of a link that consists of text and tags, or null if it is not a safe link. An unsafe link is
 * reported, unless a value in it is missing.
 */
export function addressOf(
  { origin, pieces }: Extract<Op, { op: "link" }>,
  rendering: Rendering,
): string | null {
  let address = "";
  let isWhole = true;
  for (const piece of pieces) {
    if (typeof piece === "string") {
      address += piece;
      continue;
    }
    const found = evaluateTag(piece, rendering);
    isWhole &&= found.kind === "value";
    if (found.kind === "nothing") continue;
    const text =
      found.kind === "kept"
        ? found.text
        : (printFlat(found.op, found.value, rendering, { found: false }) ?? "");
    address += address === "" ? text : inAddress(text, address);
  }
  // A missing mailbox or telephone number must not become an empty one.
  if (!isWhole && /^(?:mailto:|tel:)?$/i.test(address.trim())) return null;
  const safe = safeLink(address);
  const tag = pieces.find((piece) => typeof piece !== "string");
  if (safe === null && isWhole && tag !== undefined) {
    warnOfAddress({ origin, expression: tag.expression }, rendering);
  }
  return safe;
}

/**
 * Prints a value within a field instruction. The value is changed so that it cannot end the surrounding argument.
 * `written` returns the end of the XML before the value.
 */
export function instructionText(
  op: TextOp,
  text: string,
  written: () => string,
  context: PrintContext,
): string {
  const { mode, origin, expression } = op;
  if (mode === "address") {
    const address = safeLink(text);
    if (address === null) warnOfAddress(op, context);
    return address === null ? NOWHERE : address.replaceAll('"', "%22").replaceAll("\\", "%5C");
  }
  if (mode === "addressPart") return inAddress(text, argumentAtEnd(written()));
  const clean = text.replace(/["\\\p{Cc}\u2028\u2029]/gu, " ");
  if (clean !== text) {
    context.diagnostics.warn(
      origin,
      "field_value_changed",
      `The value for the tag ${origin.text} contains quotes, backslashes or line breaks, which the instruction of a field cannot contain; they were replaced by spaces.`,
      placeOf(expression, context.env),
    );
  }
  return clean;
}

/** Number of characters before a value to search for the start of an address. */
export const ADDRESS_WINDOW = 4000;

/** Returns the argument of a field at the end of the XML: in the text of runs, or in an attribute. */
function argumentAtEnd(xml: string): string {
  return (
    xml
      .replace(/<[^<>]*>/g, "")
      .split(/&quot;|["\s>]/)
      .at(-1) ?? ""
  );
}

/** Prints a value within an address so that it cannot change the meaning of the address around it. */
function inAddress(value: string, before: string): string {
  const encoded = encodeURIComponent(value.toWellFormed());
  // Mailboxes and telephone numbers contain these characters, which have no other meaning there.
  return /^(?:mailto|tel):/i.test(before)
    ? encoded.replaceAll("%40", "@").replaceAll("%2B", "+").replaceAll("%2C", ",")
    : encoded;
}
