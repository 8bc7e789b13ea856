import type { Diagnostic } from "@quire/core";

/** The dictionary that says how a PDF is encrypted, as LibreOffice writes it: `/Filter/Standard/V 2/Length 128`. */
const STANDARD = /\/Filter\s*\/Standard\s*\/V\s*(\d)/;

/** How a PDF is encrypted: with RC4 (`weak`), with AES (`strong`), or not at all. */
export function encryptionOf(pdf: Buffer): "none" | "weak" | "strong" {
  const at = pdf.lastIndexOf("/Standard");
  if (at < 0) return "none";
  const written = pdf.toString("latin1", Math.max(0, at - 20), at + 400);
  const version = STANDARD.exec(written)?.[1];
  if (version === undefined) return "none";
  return Number(version) >= 5 || written.includes("/AESV2") ? "strong" : "weak";
}

/** What is told of a PDF whose encryption does not hold against one who wants to break it. */
export const WEAK_ENCRYPTION: Diagnostic = {
  severity: "warning",
  code: "weak_encryption",
  message: "The PDF is encrypted with RC4, which can be broken: this LibreOffice knows no better.",
  hint: "Do not rely on its passwords for secrets; encrypt the file by other means, or use a newer LibreOffice.",
};
