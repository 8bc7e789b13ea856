/** Makes a command run as root. In CI, `sudo` needs no password, as in the set-up. */
export function asRoot(command: string, args: readonly string[]): [string, string[]] {
  const isRoot = process.getuid?.() === 0;
  if (isRoot || process.env.CI === undefined) return [command, [...args]];
  return ["sudo", ["-n", command, ...args]];
}
