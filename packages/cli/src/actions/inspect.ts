import type { Template } from "@quire/core";
import { refuseSwapped } from "../files/swapped.ts";
import { loadTemplate } from "../files/template.ts";
import type { CompileFlags } from "../options/print.ts";
import { count } from "../terminal/format.ts";
import { type CommandIo, writeLine } from "../terminal/io.ts";
import { describe, oneLine, placeOf } from "../terminal/print-error.ts";

/** The flags of `quire inspect`. */
export interface InspectOptions extends CompileFlags {
  readonly json?: true;
  readonly schema?: true;
}

/** Prints the tags of the template, or the schema of its data. */
export async function inspect(io: CommandIo, path: string, options: InspectOptions): Promise<void> {
  refuseSwapped(io, path, undefined);
  const { template } = await loadTemplate(io, path, options);
  const { tags, warnings } = template;
  if (options.schema) writeLine(io.stdout, asJson(template.schema()));
  else if (options.json) writeLine(io.stdout, asJson({ tags, warnings }));
  else {
    for (const line of tableOf(tags)) writeLine(io.stdout, line);
    for (const warning of warnings) writeLine(io.stderr, `warning: ${describe(warning)}`);
  }
}

function asJson(value: unknown): string {
  return JSON.stringify(value, null, 2);
}

type Tag = Template["tags"][number];

const HEAD = ["TAG", "KIND", "DATA", "PLACE"] as const;
/** Columns are padded to at most this width. A longer cell moves the cells after it to the right. */
const MAX_COLUMN_WIDTH = 48;

function tableOf(tags: readonly Tag[]): string[] {
  if (tags.length === 0) return ["The template has no tags that take data."];
  const rows = [HEAD, ...tags.map(rowOf)];
  const widths = HEAD.map((_, column) =>
    Math.min(MAX_COLUMN_WIDTH, Math.max(...rows.map((row) => row[column]?.length ?? 0))),
  );
  const lines = rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
  return [...lines, "", `${count(tags.length)} ${tags.length === 1 ? "tag" : "tags"}`];
}

function rowOf(tag: Tag): readonly string[] {
  const { tag_content: content, tag_type: type, json_paths: paths, place } = tag;
  // The text around the tag would make the rows too long, and the first cell already shows the tag.
  const { near: _, tag: __, ...words } = place;
  const where = placeOf({ severity: "warning", code: "tag", message: "", template: words });
  return [oneLine(content), type, oneLine(innermost(paths).join(", ")), where];
}

/** Returns the paths that are not prefixes of other paths: `a.b`, but not `a`. */
function innermost(paths: readonly string[]): readonly string[] {
  const isOuter = (path: string) =>
    paths.some((other) => other.startsWith(`${path}.`) || other.startsWith(`${path}[`));
  return paths.filter((path) => !isOuter(path));
}
