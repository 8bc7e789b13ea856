/**
 * What keeps a document from reaching anything but its PDF. Each layer holds without the others, but that the
 * third one does not keep local files away. Only tests turn one off.
 */
export interface Seal {
  /** Links and what else would fetch, run or open something are taken out of the docx before. */
  readonly cleaned: boolean;
  /** The profile forbids to follow links and to run macros, and the environment holds nothing of the host's. */
  readonly hardened: boolean;
  /** The process has no network, where the system can do that. */
  readonly isolated: boolean;
}

export const SEALED: Seal = { cleaned: true, hardened: true, isolated: true };
