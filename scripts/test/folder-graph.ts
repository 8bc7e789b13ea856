import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";

/**
 * The folders of a package. For each folder, the folders that its files import. `.` stands for files that are not in a
 * folder.
 */
export type FolderGraph = ReadonlyMap<string, ReadonlySet<string>>;

const IMPORT = /(?:\bfrom|\bimport\(?)\s*"(\.[^"]+\.ts)"/g;

/**
 * Reads the imports between the folders of a package, including imports of types and `import()`. A folder does not
 * include its subfolders. If no other file of the package imports a file, that file's imports do not count, because it
 * only re-exports names.
 */
export function folderGraph(source: string): FolderGraph {
  const files = readdirSync(source, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => join(source, name));
  const imports = new Map(files.map((file) => [file, importsOf(file)]));
  const imported = new Set([...imports.values()].flat());
  const graph = new Map<string, Set<string>>();
  for (const [file, targets] of imports) {
    const folder = folderOf(source, file);
    const known = graph.get(folder) ?? new Set();
    graph.set(folder, known);
    if (!imported.has(file)) continue;
    for (const target of targets) known.add(folderOf(source, target));
    known.delete(folder);
  }
  return graph;
}

function importsOf(file: string): string[] {
  const found = readFileSync(file, "utf8").matchAll(IMPORT);
  return [...found].map(([, path = ""]) => resolve(dirname(file), path));
}

function folderOf(source: string, file: string): string {
  return relative(source, dirname(file)) || ".";
}

/** Returns the graph of the top-level folders of a package. Each folder includes its subfolders. */
export function outerFolders(graph: FolderGraph): FolderGraph {
  return grouped(graph, (folder) => folder.split("/")[0] ?? folder);
}

/** Returns, for each top-level folder that has subfolders, the graph of the folder and its subfolders. */
export function subfolders(graph: FolderGraph): FolderGraph[] {
  return [...outerFolders(graph).keys()].map((outer) => {
    const isInside = (folder: string): boolean =>
      folder === outer || folder.startsWith(`${outer}/`);
    const inside = [...graph].filter(([folder]) => isInside(folder));
    return new Map(
      inside.map(([folder, targets]) => [folder, new Set([...targets].filter(isInside))]),
    );
  });
}

function grouped(graph: FolderGraph, groupOf: (folder: string) => string): FolderGraph {
  const groups = new Map<string, Set<string>>();
  for (const [folder, targets] of graph) {
    const group = groupOf(folder);
    const known = groups.get(group) ?? new Set();
    groups.set(group, known);
    for (const target of targets) known.add(groupOf(target));
    known.delete(group);
  }
  return groups;
}

/** Returns each cycle of folders that import each other, directly or indirectly, as a line of sorted names. */
export function circlesOf(graph: FolderGraph): string[] {
  const reached = reachOf(graph);
  const circles = [...graph.keys()].map((folder) =>
    [...(reached.get(folder) ?? [])].filter((other) => reached.get(other)?.has(folder)).sort(),
  );
  return [...new Set(circles.filter(({ length }) => length > 1).map((names) => names.join(" ")))];
}

/** Returns the number of levels. A folder is above all folders that it imports. A cycle counts as one level. */
export function levelsOf(graph: FolderGraph): number {
  const reached = reachOf(graph);
  const levels = new Map<string, number>();
  const levelOf = (folder: string): number => {
    const known = levels.get(folder);
    if (known !== undefined) return known;
    const below = [...(reached.get(folder) ?? [])].filter(
      (other) => !reached.get(other)?.has(folder),
    );
    const level = 1 + Math.max(0, ...below.map(levelOf));
    levels.set(folder, level);
    return level;
  };
  return Math.max(...[...graph.keys()].map(levelOf));
}

/** Returns, for each folder, the folder itself and all folders that it imports, directly or indirectly. */
function reachOf(graph: FolderGraph): Map<string, Set<string>> {
  const reached = new Map<string, Set<string>>();
  for (const folder of graph.keys()) {
    const found = new Set([folder]);
    // The loop also visits elements that it adds to the set.
    for (const each of found) for (const next of graph.get(each) ?? []) found.add(next);
    reached.set(folder, found);
  }
  return reached;
}
