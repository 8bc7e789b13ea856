/** Documents that take long, and pools that stop such documents so that others can run. */
import { isPreempted } from "@quire/contracts";
import { docx, p } from "../../../ooxml/test/support/docx.ts";

export const QUICK = docx({ body: p("Hello {{name}}") });

/** A template that takes a few tenths of a second to render with `ITEMS`. */
export const SLOW = docx({ body: p("{{for a in l}}{{for b in l}}{{a*b}}{{endfor}}{{endfor}}") });
export const ITEMS = { l: Array.from({ length: 400 }, (_, index) => index) };

/** A template that takes a few tenths of a second to compile. */
export const SLOW_TO_COMPILE = docx({
  body: Array.from({ length: 800 }, (_, n) => p(`{{a${n}${" + b".repeat(200)}}}`)).join(""),
});

/** Options of a pool that soon stops long documents. */
export const PREEMPTING = { processes: 1, preemptAfterMs: 100 };

export const PREEMPTIBLE = { preemptible: true };

/** Returns the outcome of a document: `done`, `preempted`, or another error. */
export async function outcomeOf(rendering: Promise<unknown>): Promise<string> {
  try {
    await rendering;
    return "done";
  } catch (error) {
    return isPreempted(error) ? "preempted" : String(error);
  }
}
