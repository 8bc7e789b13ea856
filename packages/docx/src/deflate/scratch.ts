/** Saves a part of the scratch memory, and returns a function that restores it. */
type Keep = () => () => void;

const parts: Keep[] = [];
let isInUse = false;

/**
 * Adds an array to the scratch memory, which is working memory for writing documents, one at a time. V8 knows the
 * address and length of an array that is a constant of its module, so loops over it are faster than loops over an array
 * of an object. Modules that write documents therefore have their own constants instead of imported ones.
 */
export function scratch<T extends Int32Array | Uint8Array>(array: T): T {
  scratchState(() => {
    const kept = array.slice();
    return () => array.set(kept);
  });
  return array;
}

/** Adds state that is not an array. */
export function scratchState(keep: Keep): void {
  parts.push(keep);
}

/**
 * Writes a part of a document with all of the scratch memory. It may be called while another part is being written,
 * because reading data may render another document. The outer part's state is restored afterwards.
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
