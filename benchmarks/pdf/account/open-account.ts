import type { Account, AccountKind } from "./account.ts";
import { findHierarchy, openControlGroup } from "./control-group.ts";
import { openProcessTree } from "./process-tree.ts";

/** Returns the best kind of account for this machine. */
export function accountKind(): AccountKind {
  return findHierarchy() === null ? "processes" : "control-group";
}

/** Opens an account. Works only on Linux. */
export function openAccount(kind: AccountKind = accountKind()): Account {
  const hierarchy = kind === "control-group" ? findHierarchy() : null;
  return hierarchy === null ? openProcessTree() : openControlGroup(hierarchy);
}
