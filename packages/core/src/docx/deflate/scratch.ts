/** Takes down what stands in a part of the scratch, and gives what puts it back. */
type Keep = () => () => void;

const parts: Keep[] = [];
let isInUse = false;

/**
 * Adds an array to the scratch: what documents are written with, one at a time. Loops over an array that is a
 * constant of its module take less time than those over an array that some object has, as V8 knows where it
 * stands and how long it is, and need not ask it in each turn: so modules that write documents have constants of their own for such arrays, not
 * imported ones.
 */
export function scratch<T extends Int32Array | Uint8Array>(array: T): T {
  scratchState(() => {
    const kept = array.slice();
    return () => array.set(kept);
  });
  return array;
}

/** Adds what is no array. */
export function scratchState(keep: Keep): void {
  parts.push(keep);
}

/**
 * Writes a part of a document with all of the scratch. It may be called in the middle of another part, when
 * data render a document as they are read: what stands there for the outer one comes back.
 */
export function withScratch<T>(write: () => T): T {
  if (isInUse) return withSecondScratch(write);
  isInUse = true;
  try {
    return write();
  } finally {
    isInUse = false;
  }
}

function withSecondScratch<T>(write: () => T): T {
  const restore = parts.map((keep) => keep());
  try {
    return write();
  } finally {
    for (const each of restore) each();
  }
}
