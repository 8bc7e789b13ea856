import { type PathExpression, spellKey } from "../template/language/expression.ts";
import { withTags } from "../template/wording.ts";
import type { Evaluation } from "./evaluation.ts";
import type { Findings } from "./findings.ts";
import type { TagOrigin } from "./ops.ts";
import { pointerOf } from "./pointers.ts";
import { doubtfulName } from "./section-keys.ts";

/** Reports what was doubtful about the evaluation of a tag since it began. */
export function reportDoubts(
  { doubts }: Pick<Evaluation, "doubts">,
  origin: TagOrigin,
  findings: Findings,
): void {
  for (const { code, message, hint, pointers } of doubts) {
    const sentence = message(origin.text);
    for (const pointer of pointers) findings.warn(origin, code, sentence, pointer, () => hint);
  }
  doubts.length = 0;
}

/** Notes it when the value of a name comes from elsewhere than its place in the template says. */
export function noteName(path: PathExpression, env: Evaluation): void {
  const doubtful = doubtfulName(path, env);
  if (doubtful === null) return;
  const name = path.head ?? "";
  const { section, isHidden } = doubtful;
  const own = `this${spellKey(name)}`;
  const key: PathExpression = { kind: "path", source: own, head: null, rest: [name] };
  const pointers = [pointerOf(key, { ...env, scope: section })];
  if (isHidden) {
    const loop = env.opened?.get(name) ?? "the loop";
    env.doubts.push({
      code: "hidden_key",
      message: (tag) =>
        `The tag ${tag} means the item of ${loop}, although the section around it has the key '${name}', too.`,
      hint: withTags`Give the item of the loop another name, or write {{${own}}} for the key.`,
      pointers,
    });
    return;
  }
  env.doubts.push({
    code: "value_from_outside",
    message: (tag) =>
      `The tag ${tag} takes '${name}' from outside of its section '${section.path.source}': this item has no such key, and others have it.`,
    hint: withTags`Give the key to each item, with null where it has no value, or write {{${own}}} for the item's own.`,
    pointers,
  });
}
