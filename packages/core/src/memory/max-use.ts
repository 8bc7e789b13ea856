/** Returns, for each number, the maximum over all uses, but at least the number in `none`. */
export function maxUseOf<Use extends Readonly<Record<keyof Use, number>>>(
  none: Use,
  uses: Iterable<Use>,
): Use {
  const max = { ...none };
  for (const use of uses) {
    for (const name of Object.keys(none) as (keyof Use)[]) {
      if (use[name] > max[name]) max[name] = use[name];
    }
  }
  return max;
}
