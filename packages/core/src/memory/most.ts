/** The maximum of each number over all uses, at least the number in `none`. */
export function mostOf<Use extends Readonly<Record<keyof Use, number>>>(
  none: Use,
  uses: Iterable<Use>,
): Use {
  const most = { ...none };
  for (const use of uses) {
    for (const name of Object.keys(none) as (keyof Use)[]) {
      if (use[name] > most[name]) most[name] = use[name];
    }
  }
  return most;
}
