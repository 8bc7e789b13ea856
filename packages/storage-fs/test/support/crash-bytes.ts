/** The content of the file with this number in the crash test: large, and different for each file. */
export function crashBytes(index: number): Uint8Array {
  return new Uint8Array(512 * 1024 + index).fill(index % 251);
}
