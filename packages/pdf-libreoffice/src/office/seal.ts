/**
 * What keeps a document from reaching anything but its PDF. Nothing is fetched over the network as long as one
 * layer is there. Local files are kept away by the first, and by the second but for some pictures. Only tests turn
 * one off.
 */
export interface Seal {
  /** Links and what else would fetch, run or open something are taken out of the docx before. */
  readonly cleaned: boolean;
  /** The profile forbids to follow links and to run macros, and the environment holds nothing of the host's. */
  readonly hardened: boolean;
  /** The process has no network, and reaches no other files and processes, where the system can do that. */
  readonly isolated: boolean;
  /** Isolated as where the system allows no namespaces: only by what a process gives up itself. */
  readonly withoutNamespaces?: boolean;
}

export const SEALED: Seal = { cleaned: true, hardened: true, isolated: true };
