/**
 * Kills a process that was started with `detached: true`, and with it everything it started.
 * Only SIGKILL stops a LibreOffice that hangs.
 */
export function killGroup(leader: number | undefined): void {
  if (leader === undefined || leader <= 1) return;
  try {
    process.kill(-leader, "SIGKILL");
  } catch {
    // ESRCH: all gone already. EPERM: macOS says this of a group in which only zombies are left.
  }
}
