import { type Diagnostic, listed, QuireError } from "../errors.ts";
import { type DocxPackage, openPackage } from "./package/open.ts";
import { createWriter, type PackageWriter } from "./package/write.ts";
import { canonicalXml, fullAllowance } from "./package/xml.ts";
import { Budget } from "./program/budget.ts";
import { compilePart } from "./program/compile.ts";
import type { RenderData } from "./program/evaluate.ts";
import { Findings } from "./program/findings.ts";
import type { PartProgram } from "./program/ops.ts";
import { runProgram } from "./program/run.ts";
import { pairBlocks } from "./template/blocks.ts";
import { lexParts } from "./template/lexer.ts";
import { liftTags } from "./template/lift.ts";
import { checkNesting } from "./template/nesting.ts";
import { placeBlocks } from "./template/placement.ts";
import { buildTree, type PartTree } from "./template/tree.ts";

/** A rendered document. */
export interface RenderResult {
  /** The `.docx`. The same template and data give the same bytes. */
  readonly bytes: Uint8Array;
  /**
   * What is worth telling. Those of severity `error` are values that the template asks for and the data
   * does not have: the document is complete but for them, its tags stand in it as written, and a batch
   * ends such a job as `completed_with_error`. At most 100 of each code are listed, each with the place
   * of its own; when there are more, one further diagnostic of that code, without a place, says how many.
   */
  readonly warnings: readonly Diagnostic[];
}

/** A compiled template: immutable, so it may be rendered any number of times, from anywhere, at once. */
export interface Template {
  /**
   * Renders one document. Throws `invalid_data`, with every problem in `diagnostics`, when a value has
   * a type that its tag cannot use (an object printed, a text repeated as a list); `limit_exceeded`
   * when the document becomes longer than 400 million characters of XML or its loops run away.
   */
  render(data: RenderData): RenderResult;
}

/**
 * Compiles the bytes of a `.docx` once, for any number of documents. Rejects `invalid_template` when
 * they are no Word document, or when its tags are wrong: then `diagnostics` lists every problem of
 * every part with its place, and nothing can be rendered; `limit_exceeded` when it is too large to be
 * worked with. The bytes are copied.
 */
export async function compileTemplate(bytes: Uint8Array): Promise<Template> {
  const own = Uint8Array.from(bytes);
  const docx = openPackage(own);
  const programs = compileParts(docx);
  return new CompiledTemplate(createWriter(own), programs);
}

class CompiledTemplate implements Template {
  readonly #writer: PackageWriter;
  readonly #programs: readonly PartProgram[];

  constructor(writer: PackageWriter, programs: readonly PartProgram[]) {
    this.#writer = writer;
    this.#programs = programs;
  }

  render(data: RenderData): RenderResult {
    const findings = new Findings();
    const budget = new Budget();
    const parts = new Map<string, string>();
    for (const program of this.#programs) {
      parts.set(program.part, runProgram(program, data, findings, budget));
    }
    findings.throwIfInvalid();
    return { bytes: this.#writer.write(parts), warnings: findings.list };
  }
}

/** The programs of all parts with tags. A part without tags has none: it is copied as it is. */
function compileParts(docx: DocxPackage): PartProgram[] {
  const texts = new Map<string, string>();
  const allowance = fullAllowance();
  for (const part of docx.storyParts) {
    texts.set(part, canonicalXml(part, docx.readText(part), allowance));
  }
  const problems: Diagnostic[] = [];
  const programs: PartProgram[] = [];
  for (const [part, lexed] of lexParts(texts)) {
    const tree = buildTree(part, lexed);
    const found = checkTree(tree);
    problems.push(...found);
    if (found.length === 0 && tree.tags.length > 0) programs.push(compilePart(tree));
  }
  if (problems.length > 0) {
    throw new QuireError(
      "invalid_template",
      listed("The template has errors in its tags", problems),
      {
        diagnostics: problems,
      },
    );
  }
  return programs;
}

/** Brings the block tags of a tree to where they take effect; returns everything that is wrong with it. */
function checkTree(tree: PartTree): readonly Diagnostic[] {
  const { blocks, problems } = pairBlocks(tree.tags);
  const structural = [...tree.problems, ...problems];
  if (problems.length > 0) return structural;
  const placed = placeBlocks(blocks);
  if (placed.problems.length > 0) return [...structural, ...placed.problems];
  const lifted = liftTags(tree.tags, blocks, placed.placements);
  if (lifted.length > 0) return [...structural, ...lifted];
  return [...structural, ...checkNesting(tree.root, blocks)];
}
