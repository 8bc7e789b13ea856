/** The pages of docs/contributing: the files that they add to the repository, and their changes to existing files. */
import { BLOCKS, type Block, fileOf, PAGES } from "./doc-blocks.ts";

/** A page that describes how to add something to the repository. */
export interface ContributingPage {
  readonly page: string;
  /** The text of the new files, by path. */
  readonly files: ReadonlyMap<string, string>;
  /** The changes to files of the repository, by path. */
  readonly changes: ReadonlyMap<string, readonly string[]>;
  /** The commands that a contributor runs at the end. */
  readonly commands: readonly string[];
}

/** All pages of docs/contributing. */
export const CONTRIBUTING: readonly ContributingPage[] = PAGES.filter((page) =>
  page.startsWith("docs/contributing/"),
).map((page) => {
  const blocks = BLOCKS.filter((block) => block.page === page);
  const files = blocks.map((block) => [fileOf(block), block.code] as const);
  return {
    page,
    files: new Map(files.filter((file): file is [string, string] => file[0] !== null)),
    changes: new Map(blocks.filter(({ language }) => language === "diff").flatMap(changesOf)),
    commands: blocks
      .filter(({ language }) => language === "sh")
      .flatMap(({ code }) => code.replaceAll("\\\n", " ").split("\n")),
  };
});

/** Returns the changes of a `diff` block. A line ` // packages/…` names the file that the lines after it change. */
function changesOf({ code }: Block): [string, string[]][] {
  return code.split(/^ \/\/ (?=packages\/)/m).flatMap((part): [string, string[]][] => {
    const [first = "", ...lines] = part.split("\n");
    // After the path, a comma and a position in the file may follow.
    const path = first.split(",")[0] ?? "";
    return path === "" ? [] : [[path, lines.filter((line) => line !== "")]];
  });
}

/** Inserts the lines with `+` after the line that precedes them. Throws if the text lacks one of the other lines. */
export function applyChange(text: string, change: readonly string[]): string {
  const lines = text.split("\n");
  let at = 0;
  for (const line of change) {
    const content = line.slice(1);
    if (line.startsWith("+")) lines.splice(at, 0, content);
    else if (lines.indexOf(content, at) >= 0) at = lines.indexOf(content, at);
    else throw new Error(`The file has no line ${JSON.stringify(content)}.`);
    at += 1;
  }
  return lines.join("\n");
}
