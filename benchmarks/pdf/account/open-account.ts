import type { Account, AccountKind } from "./account.ts";
import { findHierarchy, openControlGroup } from "./control-group.ts";
import { openProcessTree } from "./process-tree.ts";

/** The best kind of account on this machine. */
export function accountKind(): AccountKind {
  return findHierarchy() === null ? "processes" : "control-group";
}

/** Opens an account. Linux only. */
export function openAccount(kind: AccountKind = accountKind()): Account {
  const hierarchy = kind === "control-group" ? findHierarchy() : null;
  return hierarchy === null ? openProcessTree() : openControlGroup(hierarchy);
}
