/**
 * Finds the parts of the public API that have no doc comment. Follows the exports of the built packages through
 * re-exports and the types that they use, as TypeScript resolves them, to the declarations in any package. TypeScript 7
 * calls its JavaScript API unstable, so this file may have to be adapted to a new version.
 */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type {
  AccessorDeclaration,
  MethodDeclaration,
  MethodSignatureDeclaration,
  Node,
  PropertyDeclaration,
  PropertySignatureDeclaration,
} from "typescript/unstable/ast";
import * as is from "typescript/unstable/ast/is";
import { API, type Symbol as ApiSymbol, type Checker, SymbolFlags } from "typescript/unstable/sync";

const ROOT = join(import.meta.dirname, "..");
const CONFIG = join(ROOT, "tsconfig.public-api.json");
const ENTRY_POINTS = ["index", "host", "parts"];

/** Returns the public entry points of all packages, as paths of their built declarations. */
export function entryPoints(): string[] {
  return readdirSync(join(ROOT, "packages"))
    .flatMap((name) => ENTRY_POINTS.map((entry) => `packages/${name}/dist/${entry}.d.ts`))
    .filter((file) => existsSync(join(ROOT, file)));
}

/**
 * Returns the undocumented parts as `packages/NAME/src/FILE.ts: Name.member`, sorted. `files` replaces files on the
 * disk, by path in the repository.
 *
 * Every exported declaration needs a comment, and so does every declaration that it uses. Members of interfaces,
 * classes and type aliases also need one, except constructors and members whose type is one literal value, such as
 * `type: "folder"`. Declarations do not contain `#private` members, and the build removes `@internal` members.
 */
export function undocumentedApi(
  entries: readonly string[],
  files: Readonly<Record<string, string>> = {},
): string[] {
  const compilerOptions = { module: "NodeNext", target: "ES2023", types: ["node"], noEmit: true };
  const config = JSON.stringify({ compilerOptions, files: entries });
  const virtual = new Map(Object.entries(files).map(([path, text]) => [join(ROOT, path), text]));
  virtual.set(CONFIG, config);
  const api = new API({
    cwd: ROOT,
    fs: {
      readFile: (path) => virtual.get(path),
      fileExists: (path) => (virtual.has(path) ? true : undefined),
    },
  });
  const snapshot = api.updateSnapshot({ openProjects: [CONFIG] });
  try {
    const [project] = snapshot.getProjects();
    if (project === undefined) throw new Error("TypeScript opened no project.");
    const { checker, program } = project;
    const exported = entries.flatMap((entry) => {
      const source = program.getSourceFile(join(ROOT, entry));
      const module = source && checker.getSymbolAtLocation(source);
      if (module === undefined) throw new Error(`${entry} is not a module. Build the packages.`);
      return checker.getExportsOfModule(module);
    });
    return new Search(checker).run(exported).sort();
  } finally {
    snapshot.dispose();
    api.close();
  }
}

class Search {
  readonly #checker: Checker;
  readonly #queue: ApiSymbol[] = [];
  readonly #seen = new Set<number>();
  readonly #found = new Set<string>();

  constructor(checker: Checker) {
    this.#checker = checker;
  }

  run(symbols: readonly ApiSymbol[]): string[] {
    this.#queue.push(...symbols);
    for (let next = this.#queue.pop(); next !== undefined; next = this.#queue.pop()) {
      const isAlias = (next.flags & SymbolFlags.Alias) !== 0;
      this.#visit(isAlias ? this.#checker.getAliasedSymbol(next) : next);
    }
    return [...this.#found];
  }

  #visit(symbol: ApiSymbol): void {
    if (this.#seen.has(symbol.id)) return;
    this.#seen.add(symbol.id);
    for (const handle of symbol.declarations) {
      const node = handle.resolve();
      const file = node && sourceOf(node.getSourceFile().fileName);
      if (node === undefined || file === undefined || is.isTypeParameterDeclaration(node)) continue;
      if (!hasComment(node)) this.#found.add(`${file}: ${symbol.name}`);
      this.#walk(node, `${file}: ${symbol.name}`, hasMembers(node));
    }
  }

  /** `inMembers` is whether members below the node need comments. Members of parameters and results need none. */
  #walk(node: Node, name: string, inMembers: boolean): void {
    node.forEachChild((child) => {
      if (isReference(child)) {
        const symbol = this.#checker.getSymbolAtLocation(child);
        if (symbol !== undefined) this.#queue.push(symbol);
      } else if (inMembers && isMember(child)) {
        const member = `${name}.${child.name.getText()}`;
        if (!hasComment(child) && !isOneValue(child)) this.#found.add(member);
        this.#walk(child, member, !isMethod(child));
      } else {
        this.#walk(child, name, inMembers && !isSignature(child));
      }
    });
  }
}

/** Returns the source of a built declaration of Quire's packages; undefined for any other file. */
function sourceOf(path: string): string | undefined {
  const [, name, file] = /\/packages\/([^/]+)\/dist\/(.+)\.d\.ts$/.exec(path) ?? [];
  return name === undefined || path.includes("/node_modules/")
    ? undefined
    : `packages/${name}/src/${file}.ts`;
}

function hasComment(node: Node): boolean {
  const carrier = is.isVariableDeclaration(node) ? node.parent.parent : node;
  return (carrier.jsDoc?.length ?? 0) > 0;
}

function hasMembers(node: Node): boolean {
  return (
    is.isInterfaceDeclaration(node) ||
    is.isClassDeclaration(node) ||
    is.isTypeAliasDeclaration(node)
  );
}

type Method = MethodSignatureDeclaration | MethodDeclaration;
type Property = PropertySignatureDeclaration | PropertyDeclaration;

function isMember(node: Node): node is Method | Property | AccessorDeclaration {
  const isMember = isMethod(node) || isProperty(node) || is.isAccessorDeclaration(node);
  return isMember && !is.isPrivateIdentifier(node.name);
}

function isMethod(node: Node): node is Method {
  return is.isMethodSignatureDeclaration(node) || is.isMethodDeclaration(node);
}

function isProperty(node: Node): node is Property {
  return is.isPropertySignatureDeclaration(node) || is.isPropertyDeclaration(node);
}

/**
 * Whether the types below a node belong to parameters, results and constraints, which the enclosing comment describes.
 */
function isSignature(node: Node): boolean {
  return (
    is.isFunctionTypeNode(node) ||
    is.isConstructorTypeNode(node) ||
    is.isConstructorDeclaration(node) ||
    is.isCallSignatureDeclaration(node) ||
    is.isTypeParameterDeclaration(node)
  );
}

/** Whether the type of a property is one literal value, so that its name and its type say everything. */
function isOneValue(node: Node): boolean {
  if (!isProperty(node)) return false;
  // The build writes `readonly name = "Name"` of a class unchanged.
  return node.type === undefined ? node.initializer !== undefined : is.isLiteralTypeNode(node.type);
}

/** Whether the name refers to a type, or to the type of a value. */
function isReference(node: Node): boolean {
  const { parent } = node;
  return (
    is.isIdentifier(node) &&
    (is.isTypeReferenceNode(parent) ||
      is.isExpressionWithTypeArguments(parent) ||
      is.isTypeQueryNode(parent) ||
      is.isImportTypeNode(parent) ||
      is.isQualifiedName(parent))
  );
}
