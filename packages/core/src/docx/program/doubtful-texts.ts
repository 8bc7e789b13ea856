import type { Expression } from "../template/language/expression.ts";
import { doubtOf } from "./compare.ts";
import type { TextDoubt } from "./compare-texts.ts";
import type { Evaluation } from "./evaluation.ts";
import { pointerOf } from "./pointers.ts";

/** The warning for each doubt: the end of its sentence, and the hint. */
const DOUBTS: Readonly<Record<TextDoubt, readonly [does: string, hint: string]>> = {
  number: [
    "that spell the same number in different ways: as texts they are not equal",
    "To compare them by size, write a number without quotes or add 0: 'a + 0 == b'.",
  ],
  date: [
    "that are the same date in different ways: as texts they are not equal",
    "Write both in the same way, such as 2026-11-20.",
  ],
  letters: [
    "by their letters, although a number or a date seems to be meant",
    "Write numbers as 1234.5 and dates as 2026-11-20.",
  ],
};

/** Notes a comparison of two texts that may mean numbers or dates. */
export function noteTexts(
  { operator, left, right }: Extract<Expression, { kind: "compare" }>,
  one: unknown,
  other: unknown,
  env: Evaluation,
): void {
  const doubt = doubtOf(operator, one, other, env.timeZone);
  if (doubt === null) return;
  const [does, hint] = DOUBTS[doubt];
  const path = [left, right].find(({ kind }) => kind === "path");
  env.doubts.push({
    code: "doubtful_comparison",
    message: (tag) => `The tag ${tag} compares two texts ${does}.`,
    hint,
    pointers: path?.kind === "path" ? [pointerOf(path, env)] : [],
    isMissing: false,
  });
}
