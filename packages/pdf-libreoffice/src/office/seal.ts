/**
 * The layers that isolate documents. Each layer alone keeps documents off the network. The first layer also keeps them
 * away from local files; the second does so except for some pictures. Only tests turn a layer off.
 */
export interface Seal {
  /** Links and anything else that would fetch, run or open something are removed from the docx first. */
  readonly cleaned: boolean;
  /** The profile forbids following links and running macros, and the environment contains no secrets of the host. */
  readonly hardened: boolean;
  /** The process has no network and no access to other files and processes, if the system supports that. */
  readonly isolated: boolean;
  /** For tests: isolated only by restrictions that the process applies to itself, as on a system without namespaces. */
  readonly withoutNamespaces?: boolean;
  /** For tests: without a PID namespace, as on a system that does not let a process mount `/proc`. */
  readonly withoutOwnProcesses?: boolean;
}

export const SEALED: Seal = { cleaned: true, hardened: true, isolated: true };
