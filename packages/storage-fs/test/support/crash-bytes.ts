/** Returns the content of a file in the crash test, which is large and different for each index. */
export function crashBytes(index: number): Uint8Array {
  return new Uint8Array(512 * 1024 + index).fill(index % 251);
}
