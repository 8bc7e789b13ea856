import { isQuireError } from "@quire/contracts";
import { LRUCache } from "lru-cache";
import { familyKey, familyName } from "./family-name.ts";
import type { FontSet } from "./font-set.ts";
import type { FamilyNeed, FontNeeds } from "./needs.ts";
import { missingFamilies } from "./preflight.ts";
import { runFontconfig } from "./run-fontconfig.ts";
import { representativeOf } from "./scripts.ts";

/** Finds the families that replace missing families. Asks fontconfig once for each of them. */
export interface FontSubstitutes {
  /** Returns a function that maps each missing family to its replacement; null if fontconfig reports none. */
  of(needs: FontNeeds, fonts: FontSet): Promise<(family: string) => string | null>;
}

/** Options of {@link fontSubstitutes}. */
export interface FontSubstitutesOptions {
  /** The environment in which LibreOffice will run. */
  readonly environment: Readonly<Record<string, string>>;
  /** Time limit for one query, in milliseconds. Default 10,000. */
  readonly deadlineMs?: number;
}

const DEADLINE_MS = 10_000;

/** Maximum number of cached answers. */
const KEPT = 1_000;

/**
 * Creates substitutes that ask `fc-match` in the same way as LibreOffice asks fontconfig. Each query takes about 10 ms;
 * queries run one at a time.
 */
export function fontSubstitutes(options: FontSubstitutesOptions): FontSubstitutes {
  const { environment, deadlineMs = DEADLINE_MS } = options;
  const answers = new LRUCache<string, Promise<string | null>>({ max: KEPT });
  const ask = async (pattern: string): Promise<string | null> => {
    try {
      const args = ["-f", "%{family[0]}", "--", pattern];
      return (await runFontconfig("fc-match", args, { environment, deadlineMs })) || null;
    } catch (error) {
      if (isQuireError(error)) return null;
      throw error;
    }
  };
  let last: Promise<unknown> = Promise.resolve();
  const askNext = (pattern: string): Promise<string | null> => {
    const answer = last.then(() => ask(pattern));
    last = answer.catch(() => null);
    return answer;
  };
  const answerTo = (need: FamilyNeed): Promise<string | null> => {
    const pattern = patternOf(need);
    const answer = answers.get(pattern) ?? askNext(pattern);
    answers.set(pattern, answer);
    return answer;
  };
  return {
    async of(needs, fonts) {
      const missing = missingFamilies(needs, fonts);
      const found = await Promise.all(
        missing.map(async (need) => [familyKey(need.family), await answerTo(need)] as const),
      );
      const standIns = new Map(found);
      return (family) => standIns.get(familyKey(family)) ?? null;
    },
  };
}

/** Returns a pattern with a sample character, because LibreOffice uses another font if the replacement lacks it. */
function patternOf({ family, sample }: FamilyNeed): string {
  const name = familyName(family)
    .replaceAll(/\p{Cc}/gu, " ")
    .replaceAll(/[\\:,-]/g, "\\$&");
  const character = representativeOf(sample);
  return character === null ? name : `${name}:charset=${character.toString(16)}`;
}
