/**
 * Escapes text between tags. The gate has the same function, but the process that answers requests uses this one and
 * must not load the gate.
 */
export function escapeXml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
