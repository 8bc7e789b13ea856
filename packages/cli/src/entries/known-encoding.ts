/** Returns the name that `TextDecoder` uses for an encoding; null if the encoding is unknown. */
export function knownEncoding(name: string): string | null {
  try {
    return new TextDecoder(name).encoding;
  } catch {
    return null;
  }
}
