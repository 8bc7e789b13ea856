import { BLOCKS } from "./blocks.ts";
import { CONTENT } from "./content.ts";
import type { Example } from "./example.ts";
import { FUNCTIONS } from "./functions.ts";
import { VALUES } from "./values.ts";

/** The examples of all constructs that docs/templates.md and docs/functions.md show in pictures. */
export const EXAMPLES: readonly Example[] = [...VALUES, ...BLOCKS, ...CONTENT, ...FUNCTIONS];
