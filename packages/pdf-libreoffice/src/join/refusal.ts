/** Why documents are not joined. Thrown within this folder only; what it exports gives the reason. */
export class NotJoinable extends Error {}

/** Throws: `reason` is the rest of the sentence "The documents are not joined: …". */
export function refuse(reason: string): never {
  throw new NotJoinable(reason);
}
