import { BLOCKS } from "./blocks.ts";
import { CONTENT } from "./content.ts";
import type { Example } from "./example.ts";
import { VALUES } from "./values.ts";

/** The examples of all constructs that docs/templates.md shows in pictures. */
export const EXAMPLES: readonly Example[] = [...VALUES, ...BLOCKS, ...CONTENT];
