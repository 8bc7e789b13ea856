/** Why documents are not joined. Thrown only within this folder; exported functions return the reason. */
export class NotJoinable extends Error {}

/** Throws {@link NotJoinable}. `reason` is the rest of the sentence "The documents are not joined: …". */
export function refuse(reason: string): never {
  throw new NotJoinable(reason);
}
