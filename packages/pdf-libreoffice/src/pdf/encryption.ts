import type { Diagnostic } from "@quire/contracts";

/** The encryption dictionary of a PDF, as LibreOffice writes it: `/Filter/Standard/V 2/Length 128`. */
const STANDARD = /\/Filter\s*\/Standard\s*\/V\s*(\d)/;

/** Returns how a PDF is encrypted: with RC4 (`weak`), with AES (`strong`), or not at all. */
export function encryptionOf(pdf: Buffer): "none" | "weak" | "strong" {
  const written = pdf.toString("latin1");
  const found = STANDARD.exec(written);
  if (found === null) return "none";
  return Number(found[1]) >= 5 || written.includes("/AESV2", found.index) ? "strong" : "weak";
}

/** The warning for a PDF whose encryption can be broken. */
export const WEAK_ENCRYPTION: Diagnostic = {
  severity: "warning",
  code: "weak_encryption",
  message: "The PDF is encrypted with RC4, which can be broken.",
  hint: "Do not rely on its passwords to protect secrets. Encrypt the file with another program; a newer LibreOffice does not help (up to 26.8).",
};
