import type { Diagnostic } from "@quire/contracts";
import { unzipped, unzippedElsewhere } from "../../../../ooxml/test/support/unzip.ts";
import {
  type CompileOptions,
  compileTemplate,
  type RenderOptions,
  type RenderResult,
  type Template,
} from "../../../src/index.ts";
import { differenceOfParts, differenceOfValues, type Outcome, outcomeOf } from "./differences.ts";
import { compilePlainly, type PlainDocument, type PlainTemplate } from "./render.ts";
import type { Watch } from "./run.ts";

type Data = Readonly<Record<string, unknown>>;

/** Records the executed ops and the outcome. */
export interface Observer {
  readonly op: Watch;
  /** The code of the error, or null for a document, and the diagnostics. */
  readonly outcome: (code: string | null, warnings: readonly Diagnostic[]) => void;
}

/** How the parts of a document may be compressed. */
export const COMPRESSIONS = ["small", "fast", "template"] as const;

/** After this number of renderings, everything that is built lazily exists. */
const WARM_UP = 24;

/** A template compiled by the code in `src` and for the plain renderer. */
export class Twins {
  readonly template: Template;
  readonly #plain: PlainTemplate;

  constructor(template: Template, plain: PlainTemplate) {
    this.template = template;
    this.#plain = plain;
  }

  /** Renders often enough to build everything that is built lazily. */
  warmUp(data: Data): void {
    for (let time = 0; time < WARM_UP; time++) {
      outcomeOf(() => this.template.render(data, withCompression({}, "template")));
    }
  }

  /**
   * Returns the first difference between the documents or diagnostics of the two renderers, or null if they are equal.
   */
  difference(data: Data, options: RenderOptions = {}, observer?: Observer): string | null {
    const plain = outcomeOf(() => this.#plain.document(data, options, observer?.op));
    if ("refusal" in plain) observer?.outcome(plain.refusal.code, plain.refusal.diagnostics);
    else observer?.outcome(null, plain.value.warnings);
    for (const compression of COMPRESSIONS) {
      const own = outcomeOf(() =>
        this.template.render(data, withCompression(options, compression)),
      );
      const found = differenceOfDocuments(plain, own, compression === "template");
      if (found !== null) return `With the compression "${compression}": ${found}`;
    }
    return this.#differenceOfChecks(data, options);
  }

  #differenceOfChecks(data: Data, options: RenderOptions): string | null {
    const plain = outcomeOf(() => this.#plain.check(data, options));
    // `Template.check` returns this error as a diagnostic.
    if ("refusal" in plain) return null;
    return differenceOfValues(
      "The diagnostics of the check",
      plain.value,
      this.template.check(data, options),
    );
  }
}

/** Returns the first difference between two documents. With `twice`, two zip readers read the document. */
function differenceOfDocuments(
  plain: Outcome<PlainDocument>,
  own: Outcome<RenderResult>,
  twice: boolean,
): string | null {
  if ("refusal" in plain || "refusal" in own) {
    const refusals = [plain, own].map((each) =>
      "refusal" in each ? each.refusal : "It rendered a document.",
    );
    return differenceOfValues("The refusals", ...(refusals as [unknown, unknown]));
  }
  const { parts, warnings } = plain.value;
  const { bytes } = own.value;
  return (
    differenceOfParts(parts, unzipped(bytes)) ??
    (twice ? differenceOfParts(parts, unzippedElsewhere(bytes)) : null) ??
    differenceOfValues("The warnings", warnings, own.value.warnings)
  );
}

/** Returns the options with a compression. */
function withCompression(
  options: RenderOptions,
  compression: (typeof COMPRESSIONS)[number],
): RenderOptions {
  const all = { ...options, compression };
  return all;
}

/** Compiles a template for both renderers. Rejects what `compileTemplate` rejects. */
export async function compileTwins(
  bytes: Uint8Array,
  options: CompileOptions = {},
): Promise<Twins> {
  const template = await compileTemplate(bytes, options);
  return new Twins(template, await compilePlainly(bytes, options));
}
