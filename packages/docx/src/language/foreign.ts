import { type Wording, withTags } from "./delimiters/wording.ts";
import { ExpressionParser } from "./parse-expression.ts";
import { TagSyntaxError, tokenize } from "./tokens.ts";

/** Helpers of Handlebars and similar languages that begin a block after a `#`, and their equivalents. */
const HELPERS: ReadonlyMap<string, "if" | "unless" | "for" | "with"> = new Map([
  ["if", "if"],
  ["elseif", "if"],
  ["unless", "unless"],
  ["for", "for"],
  ["each", "for"],
  ["foreach", "for"],
  ["loop", "for"],
  ["repeat", "for"],
  ["tablerow", "for"],
  ["tablecolumn", "for"],
  ["with", "with"],
]);

/** A block of another template language: `{{#each items}}`. */
export interface Helper {
  /** The word as written. `{{/word}}` ends the block. */
  readonly word: string;
  readonly meaning: "if" | "unless" | "for" | "with";
  /** The text after the word. */
  readonly rest: string;
}

/** Maximum number of characters of a tag that a hint quotes. */
const QUOTED_LENGTH = 100;

/**
 * Returns the helper in the text after the `#` of a section; null if the text is a path or a condition in Quire's
 * language, such as a key named `if`.
 */
export function helperOf(source: string): Helper | null {
  const [, word = "", rest = ""] =
    /^\s*(\p{L}+)(?:\s+(?=\S)|(?=[(!]))([\s\S]*)$/u.exec(source) ?? [];
  const meaning = HELPERS.get(word.toLowerCase());
  if (meaning === undefined || GOES_ON.test(rest)) return null;
  return { word, meaning, rest: rest.trim() };
}

/** Matches how a condition may continue after its first path. */
export const GOES_ON =
  /^(?:[-–−+*/%=<>&|,)[:]|!=|(?:and|or|contains|isPresent|isEmpty)(?![\p{L}\p{N}_]))/u;

/** Returns the error, with a replacement, for a block of another language after a `#` or `^`; null for all others. */
export function sectionError(sign: string, source: string): TagSyntaxError | null {
  const helper = helperOf(source);
  if (helper !== null) {
    const { word, meaning, rest } = helper;
    return new TagSyntaxError(
      `'${sign}${word}' is not a block of this language.`,
      hintFor(meaning, rest),
    );
  }
  const [, position] = /^\s*-\s*(first|last|index)\s*$/.exec(source) ?? [];
  if (position !== undefined) {
    const variable = sign === "^" ? `not $${position}` : `$${position}`;
    return new TagSyntaxError(
      `'${sign}-${position}' is not a block of this language.`,
      withTags`Write {{if ${position === "index" ? "$number > 1" : variable}}} … {{endif}}.`,
    );
  }
  const loop = loopOf(source);
  if (loop === null) return null;
  const { alias, list } = loop;
  const section = withTags`{{${sign}${list}}} … {{/${list}}} without a name`;
  return new TagSyntaxError(
    `'${sign}' gives no name to the items of a list.`,
    sign === "^"
      ? withTags`Write ${section}.`
      : withTags`Write {{for ${alias} in ${list}}} … {{endfor}}, or ${section}.`,
  );
}

/** Returns the name and the list of `item in items`, `item of items` and `items as item`; null for any other text. */
export function loopOf(source: string): { readonly alias: string; readonly list: string } | null {
  const plain = source.replace(/[|()]/g, " ").trim();
  const [first = "", word = "", third = "", more] = plain.split(/\s+/, 4);
  if (more !== undefined || !/^(?:in|of|as)$/i.test(word)) return null;
  const [alias, list] = word.toLowerCase() === "as" ? [third, first] : [first, third];
  const isName = /^[\p{L}_]{1,40}$/u.test(alias);
  return isName && pathIn(list) !== null ? { alias, list } : null;
}

/** Returns the item name and the list that were probably meant in a loop, or default names for hints. */
export function loopMeant(source: string): { readonly alias: string; readonly list: string } {
  const plain = source.replace(/[|()]/g, " ").trim();
  const last = /(?:^|\s)(\S+\s+(?:in|of|as)\s+\S+)$/i.exec(plain.slice(-QUOTED_LENGTH))?.[1];
  const whole = loopOf(last ?? "");
  return whole ?? { alias: "item", list: pathIn(plain) ?? "items" };
}

function hintFor(meaning: Helper["meaning"], rest: string): Wording {
  switch (meaning) {
    case "if":
      return withTags`Write {{if ${conditionIn(rest) ?? "condition"}}} … {{endif}}.`;
    case "unless": {
      const condition = conditionIn(rest) ?? "condition";
      return withTags`Write {{if not ${/[^\p{L}\p{N}_.]/u.test(condition) ? `(${condition})` : condition}}} … {{endif}}.`;
    }
    case "with": {
      const path = pathIn(rest) ?? "path";
      return withTags`Write {{#${path}}} … {{/${path}}}.`;
    }
    case "for":
      return loopHint(rest);
  }
}

/**
 * Returns the hint for a loop. `each items`, `each items as |item|` and `for item in items` have the same meaning here.
 */
function loopHint(rest: string): Wording {
  const [first = "", second = "", third = ""] = rest.split(/\s+/, 3);
  const isIn = second.toLowerCase() === "in";
  const list = pathIn(isIn ? third : first) ?? "items";
  const named = isIn ? first : third.replaceAll("|", "");
  const alias = (isIn || second === "as") && /^[\p{L}_]{1,40}$/u.test(named) ? named : "item";
  const [, position] = /\|\s*\S+\s+([\p{L}_]+)\s*\|/u.exec(rest) ?? [];
  const index = position === undefined ? "" : withTags` For '${position}' write {{$index}}.`;
  return withTags`Write {{for ${alias} in ${list}}} … {{endfor}}, and {{${alias}.name}} for a value of each item.${index}`;
}

/** Returns the text if it is a condition in Quire's language; otherwise null. */
export function conditionIn(text: string): string | null {
  return readable(text, (parser) => parser.condition());
}

/** Returns the text if it is a path; otherwise null. */
export function pathIn(text: string): string | null {
  return readable(text, (parser) => parser.path());
}

function readable(text: string, read: (parser: ExpressionParser) => unknown): string | null {
  if (text === "" || text.length > QUOTED_LENGTH) return null;
  try {
    const parser = new ExpressionParser(tokenize(text));
    read(parser);
    parser.end();
    return text;
  } catch (error) {
    if (error instanceof TagSyntaxError) return null;
    throw error;
  }
}

/**
 * Returns the error for a tag that begins with a sign from another template language, such as `{{%photo}}`; null for
 * all others. The content is trimmed.
 */
export function foreignSign(content: string): TagSyntaxError | null {
  const statement = statementOf(content);
  if (statement !== null) {
    return new TagSyntaxError("Tags are written without '%'.", withTags`Write {{${statement}}}.`);
  }
  if (content.startsWith("../")) {
    const outer = pathIn(content.replace(/^(?:\.\.\/)+/, "").replaceAll("/", ".")) ?? "path";
    return new TagSyntaxError(
      "'../' has no meaning in a tag.",
      withTags`Write {{${outer}}}: a block also knows the names that are known outside it. If its own item has this name, too, repeat the outer list with {{for x in list}}, and write {{x.${outer}}}.`,
    );
  }
  const rest = content.replace(/^[%~>&@=]+\s*/, "");
  const path = pathIn(rest) ?? "path";
  switch (content[0]) {
    case "=":
      return content.endsWith("=")
        ? null
        : new TagSyntaxError(
            "The character '=' has no meaning at the beginning of a tag.",
            withTags`Write {{${path}}}.`,
          );
    case "@":
      return atSign(rest, path);
    case "%":
      return new TagSyntaxError(
        "The character '%' does not turn a value into a picture.",
        withTags`Write {{${path}}}. To set the size, put the tag into the alternative text of a placeholder picture.`,
      );
    case "~":
      return new TagSyntaxError(
        "The character '~' does not turn a value into formatted text.",
        withTags`Write {{${path} :: html}}.`,
      );
    case "&":
      return new TagSyntaxError(
        "The character '&' has no meaning at the beginning of a tag.",
        withTags`Write {{${path}}}: a value is never read as XML or HTML unless the tag says so.`,
      );
    case ">":
      return new TagSyntaxError(
        "The character '>' does not include a template.",
        withTags`Write {{include "${templateNamed(rest)}"}}.`,
      );
    case "-": {
      if (/^--\s+\p{L}/u.test(content)) {
        return new TagSyntaxError("'--' has no meaning at the beginning of a tag.");
      }
      const loop = /^-\s*[aw]:\w{1,20}\s+(\S[\s\S]*)$/.exec(content)?.[1];
      return loop === undefined ? null : elementLoop(pathIn(loop.trim()));
    }
  }
  return null;
}

/**
 * Matches a Jinja statement. In python-docx-template, letters name the repeated element: a paragraph, row, cell or run.
 */
const STATEMENT = /^%[-+]?(?:(p|tr|tc|r)\s)?(.*?)[-+]?%$/;

/** Returns the equivalent of a Jinja statement such as `%p if a %`; null for other content. */
export function statementOf(content: string): string | null {
  const [, around = "", statement] = STATEMENT.exec(content) ?? [];
  if (statement === undefined) return null;
  const body = statement
    .trim()
    .replace(/^elif\b/, "elseif")
    .replace(/^end-(?=(?:if|for)$)/, "end");
  if (around === "tr") return body.replace(/^(end)?for\b/, "$1tablerow");
  return around === "tc" ? body.replace(/^(end)?for\b/, "$1tablecolumn") : body;
}

/** Returns the error for `@`, which begins a loop variable in Handlebars and inserts XML in docxtemplater. */
function atSign(rest: string, path: string): TagSyntaxError {
  const variable = LOOP_VARIABLES.get(rest.toLowerCase());
  if (variable !== undefined) {
    return new TagSyntaxError(
      `'@${rest}' has no meaning here.`,
      variable === "$index"
        ? withTags`Write {{$index}}, which counts from 0, or {{$number}}, which counts from 1.`
        : withTags`Write {{${variable}}}.`,
    );
  }
  if (/^(?:key|value)$/.test(rest)) {
    return new TagSyntaxError(
      `'@${rest}' has no meaning here.`,
      withTags`For the keys and the values of an object write {{for e in customer.entries()}}{{e.key}}: {{e.value}}{{endfor}}.`,
    );
  }
  if (rest.startsWith("root.")) {
    return new TagSyntaxError(
      "'@root' has no meaning here.",
      withTags`Write {{${rest.slice(5)}}}.`,
    );
  }
  return new TagSyntaxError(
    "The character '@' has no meaning at the beginning of a tag, and raw XML cannot be put into a document.",
    withTags`Write {{${path}}}. For a value that is HTML write {{${path} :: html}}.`,
  );
}

const LOOP_VARIABLES: ReadonlyMap<string, string> = new Map([
  ["index", "$index"],
  ["first", "$first"],
  ["last", "$last"],
  ["length", "$length"],
  ["number", "$number"],
]);

function elementLoop(list: string | null): TagSyntaxError {
  return new TagSyntaxError(
    "A block does not name the element that it repeats.",
    withTags`Write {{for item in ${list ?? "items"}}} … {{endfor}}: the position of its tags decides what it repeats.`,
  );
}

/** Returns the name of a template's file for `terms`. */
function templateNamed(text: string): string {
  const name = fileNameIn(text);
  if (name === null) return "terms.docx";
  return /\.\w{2,5}$/.test(name) ? name : `${name}.docx`;
}

/** Returns the text without surrounding spaces if it may be a file name without quotes; otherwise null. */
export function fileNameIn(text: string): string | null {
  const name = text.trim();
  return name !== "" && name.length <= QUOTED_LENGTH && !/["“”„‟«»″{}\\]/.test(name) ? name : null;
}
