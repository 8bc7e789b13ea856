/** Returns text as a PDF text string, as used outside page contents. */
export function textString(text: string): string {
  if (/^[ -~]*$/.test(text)) return `(${text.replace(/[\\()]/g, "\\$&")})`;
  const utf16 = Buffer.from(`\ufeff${text.toWellFormed()}`, "utf16le").swap16();
  return `<${utf16.toString("hex")}>`;
}
