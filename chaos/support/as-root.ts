/** Returns the command that runs this command as root. In CI, it uses `sudo`, which needs no password there. */
export function asRoot(command: string, args: readonly string[]): [string, string[]] {
  const isRoot = process.getuid?.() === 0;
  if (isRoot || process.env.CI === undefined) return [command, [...args]];
  return ["sudo", ["-n", command, ...args]];
}
