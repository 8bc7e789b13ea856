import type { ElementNode } from "../template/nodes/nodes.ts";
import type { Analysis } from "./analysis.ts";
import type { Assembly } from "./assembly.ts";
import { attributePieces } from "./attributes.ts";
import { isRestarted } from "./list-ops.ts";
import type { LookOps } from "./look-op.ts";
import {
  chartReference,
  loopedSimpleField,
  NOTE_REFERENCES,
  privateIds,
  withLinks,
} from "./loop-ids.ts";

/** Writes the attributes of elements. Some of them have ops, because they depend on the data or on the iteration. */
export class AttributeWriter {
  readonly #assembly: Assembly;
  readonly #analysis: Analysis;
  readonly #looks: LookOps;
  readonly #inComments: boolean;

  /** `inComments`: whether the part contains comments. */
  constructor(assembly: Assembly, analysis: Analysis, looks: LookOps, inComments: boolean) {
    this.#assembly = assembly;
    this.#analysis = analysis;
    this.#looks = looks;
    this.#inComments = inComments;
  }

  write(element: ElementNode): void {
    const assembly = this.#assembly;
    const { charts, restarts, context } = this.#analysis;
    if (element.vmlFill !== undefined) assembly.push(this.#looks.attributes(element.vmlFill));
    if (this.#inComments && NOTE_REFERENCES.has(element.name)) {
      assembly.write(element.attributes, "unchanged");
      return;
    }
    const key = this.#inComments && assembly.inLoop ? privateIds(element.attributes) : "";
    if (key !== "") {
      const write = (): void => assembly.write(key, "unchanged");
      assembly.wrapped((body) => ({ op: "once", key, body }), write);
    }
    if (element.name === "c:chart" && charts.size > 0) {
      assembly.pieces(chartReference(element.attributes, charts));
      return;
    }
    const isRestart = element.name === "w:numId" && isRestarted(element, restarts);
    const { names, targets, items } = context.references;
    const named = names.get(element);
    if (named !== undefined && assembly.inLoop) {
      const pieces = loopedSimpleField(element.attributes, named);
      assembly.pieces(withLinks(pieces, element, items));
      return;
    }
    const inLoop = assembly.inLoop || targets.has(element);
    assembly.pieces(withLinks(attributePieces(element, inLoop, isRestart), element, items));
  }
}
