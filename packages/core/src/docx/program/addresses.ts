import { safeLink } from "../values/rich/link.ts";
import type { Op, TextOp } from "./ops.ts";
import { placeOf } from "./pointers.ts";
import { evaluateTag, type PrintContext } from "./print-tag.ts";
import type { Rendering } from "./rendering.ts";
import { printFlat } from "./rich.ts";

/** What a link leads to where its address is none that a link may have. */
export const NOWHERE = "about:blank";

/** Reports that the value of a tag is not an address for a link. */
export function warnOfAddress(
  { origin, expression }: Pick<TextOp, "origin" | "expression">,
  { env, findings }: PrintContext,
): void {
  findings.warn(
    origin,
    "unsafe_link",
    `The value for the tag ${origin.text} is not a valid link address (http, https, mailto or tel, at most 2,083 characters), so the document has no link there.`,
    placeOf(expression, env),
  );
}

/**
 * The address of a link that is made of texts and tags; null when that is no safe link, which is told
 * unless a value is missing in it.
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
  // A mailbox or a number that is missing is not one of no characters.
  if (!isWhole && /^(?:mailto:|tel:)?$/i.test(address.trim())) return null;
  const safe = safeLink(address);
  const tag = pieces.find((piece) => typeof piece !== "string");
  if (safe === null && isWhole && tag !== undefined) {
    warnOfAddress({ origin, expression: tag.expression }, rendering);
  }
  return safe;
}

/**
 * A value within the instruction of a field: it must not end the argument that it stands in. `written`
 * gives the end of the XML before it.
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
    context.findings.warn(
      origin,
      "field_value_changed",
      `The value for the tag ${origin.text} holds quotes, backslashes or line breaks, which the instruction of a field cannot contain; they were replaced by spaces.`,
      placeOf(expression, context.env),
    );
  }
  return clean;
}

/** How much of what is written is looked at for the beginning of an address. */
export const ADDRESS_WINDOW = 4000;

/** The argument of a field in which XML ends: in the texts of runs, or in an attribute. */
function argumentAtEnd(xml: string): string {
  return (
    xml
      .replace(/<[^<>]*>/g, "")
      .split(/&quot;|["\s>]/)
      .at(-1) ?? ""
  );
}

/** A value as it stands within an address: it cannot change what the address around it means. */
function inAddress(value: string, before: string): string {
  const encoded = encodeURIComponent(value.toWellFormed());
  // Mailboxes and telephone numbers are written with these, which mean nothing else there.
  return /^(?:mailto|tel):/i.test(before)
    ? encoded.replaceAll("%40", "@").replaceAll("%2B", "+").replaceAll("%2C", ",")
    : encoded;
}
