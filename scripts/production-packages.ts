/** Finds the packages that are installed with a package, from the lock file. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The fields of a package-lock.json entry that this file uses. */
export interface LockedPackage {
  readonly name?: string;
  readonly version?: string;
  readonly resolved?: string;
  readonly integrity?: string;
  /** Whether the folder is a link to `resolved`, the folder of a workspace. */
  readonly link?: boolean;
  readonly hasInstallScript?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
}

/** The entries of package-lock.json by the folder of each package. */
export interface LockFile {
  readonly packages: Readonly<Record<string, LockedPackage>>;
}

const ROOT = join(import.meta.dirname, "..");

/** Returns the lock file of this repository. */
export function readLockFile(): LockFile {
  return JSON.parse(readFileSync(join(ROOT, "package-lock.json"), "utf8"));
}

/** Returns the folders of the published packages. */
export function publishedFolders(): readonly string[] {
  return readdirSync(join(ROOT, "packages")).map((name) => `packages/${name}`);
}

/**
 * Returns the folders of all packages that are installed together with the package in `from`: its direct and indirect
 * dependencies. Excludes dev dependencies and optional peers.
 */
export function productionPackages({ packages }: LockFile, from: string): ReadonlySet<string> {
  const found = new Set<string>();
  collect(from);
  return found;

  function collect(folder: string): void {
    for (const name of needsOf(packages[folder] ?? {})) {
      const place = placeOf(name, folder);
      if (place === null || found.has(place)) continue;
      found.add(place);
      collect(place);
    }
  }

  /** Returns the folder in which Node finds a package that is imported in `folder`. */
  function placeOf(name: string, folder: string): string | null {
    for (let above = folder; ; above = parentOf(above)) {
      const place = above === "" ? `node_modules/${name}` : `${above}/node_modules/${name}`;
      const locked = packages[place];
      if (locked !== undefined) return locked.link === true ? (locked.resolved ?? null) : place;
      if (above === "") return null;
    }
  }
}

function needsOf(locked: LockedPackage): readonly string[] {
  const { dependencies = {}, optionalDependencies = {}, peerDependencies = {} } = locked;
  const peers = Object.keys(peerDependencies).filter(
    (name) => locked.peerDependenciesMeta?.[name]?.optional !== true,
  );
  return [...Object.keys(dependencies), ...Object.keys(optionalDependencies), ...peers];
}

/** Returns the package whose node_modules contains a package. For the root, it is the empty string. */
function parentOf(folder: string): string {
  const at = folder.lastIndexOf("/node_modules/");
  return at < 0 ? "" : folder.slice(0, at);
}
