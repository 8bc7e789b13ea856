/** The name of an encoding in the spelling of `TextDecoder`; null if it is unknown. */
export function knownEncoding(name: string): string | null {
  try {
    return new TextDecoder(name).encoding;
  } catch {
    return null;
  }
}
