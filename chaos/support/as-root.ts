/** A command as root has it: in CI by a `sudo` that asks for no password, as the set-up does. */
export function asRoot(command: string, args: readonly string[]): [string, string[]] {
  const isRoot = process.getuid?.() === 0;
  if (isRoot || process.env.CI === undefined) return [command, [...args]];
  return ["sudo", ["-n", command, ...args]];
}
