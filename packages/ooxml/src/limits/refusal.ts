import { QuireError } from "@quire/contracts";

/** Returns the error for bytes that are not a Word document. `why` ends the sentence. */
export function notWord(why: string, cause?: unknown): QuireError {
  return new QuireError(
    "invalid_template",
    `This file cannot be used as a Word template: ${why}.`,
    { cause },
  );
}

/** Returns the error for a template that needs too much memory. */
export function tooLarge(what: string, size: number, limit: number): QuireError {
  return new QuireError(
    "limit_exceeded",
    `The Word file is too large: ${what} has ${size} bytes when unpacked, but at most ${limit} are allowed. Make its pictures smaller, or split it.`,
  );
}

/** Returns the error for a template with too many items. */
export function tooMany(what: string, limit: number): QuireError {
  return new QuireError(
    "limit_exceeded",
    `The Word file is too large: it has more than ${limit} ${what}. Split it.`,
  );
}

/** Returns the error for a part that is not valid in a Word document. `why` ends the sentence. */
export function malformed(part: string, why: string, cause?: unknown): QuireError {
  return new QuireError(
    "invalid_template",
    `The part ${part} of the template cannot be read: ${why}. Open the template in Word, save it again and use the new file.`,
    { cause },
  );
}
