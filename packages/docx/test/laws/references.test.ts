/** Random templates of blocks, bookmarks and references. `REFERENCES_SEED` sets the first seed. */
import { expect, test } from "vitest";
import { Random } from "../../../contracts/test/support/random.ts";
import { manyRuns } from "../../../contracts/test/support/runs.ts";
import { p, r, table } from "../../../ooxml/test/support/docx.ts";
import { compileTemplate } from "../../src/index.ts";
import { complex, simple } from "../support/fields.ts";
import { assertSound } from "../support/sound.ts";
import { partsOf, type WordFile, wordFile } from "../support/word-file.ts";

const CASES = manyRuns(60, 1_000);
const SEED = Number(process.env.REFERENCES_SEED ?? Math.floor(Math.random() * 1e9));
const LISTS = 4;
const NOTES = 3;

/** Writes a template. The text of each bookmark and the result of each reference name the surrounding iterations. */
class Writer {
  /** The lists of the loops, by the names of their items. */
  readonly lists = new Map<string, string>();
  readonly #random: Random;
  #bookmarks = 0;
  #loops = 0;
  #notes = 0;

  constructor(random: Random) {
    this.#random = random;
  }

  file(): WordFile {
    const body = this.#blocks([], 3, 3);
    // Notes and headers do not refer to notes.
    this.#notes = NOTES;
    const notes = Array.from({ length: NOTES }, (_, id) => {
      const content = this.#blocks([], 2, 1);
      return `<w:footnote w:id="${id + 1}">${content}${p("note")}</w:footnote>`;
    });
    const header = this.#blocks([], 2, 1);
    return {
      body: `${p("{{s}}")}${body}`,
      parts: { "header1.xml": `${header}${p("")}`, "footnotes.xml": notes.join("") },
    };
  }

  /** Returns `size` random blocks. `turns`: the item names of the surrounding loops, the innermost last. */
  #blocks(turns: readonly string[], size: number, depth: number): string {
    return Array.from({ length: size }, () => this.#block(turns, depth)).join("");
  }

  #block(turns: readonly string[], depth: number): string {
    const random = this.#random;
    const kind = random.below(depth > 0 ? 8 : 5);
    if (kind < 2) return `<w:p>${this.#bookmark(turns)}</w:p>`;
    if (kind < 4) return `<w:p>${r("see ")}${this.#reference(turns)}</w:p>`;
    if (kind === 4) return this.#other(turns);
    const inner = turns.at(-1);
    const condition = `${inner === undefined ? "" : `${inner}.`}${random.pick(["a", "b"])}`;
    if (kind === 5) {
      const otherwise = random.oneIn(3) ? p("{{else}}") + this.#blocks(turns, 1, depth - 1) : "";
      return `${p(`{{if ${condition}}}`)}${this.#blocks(turns, 2, depth - 1)}${otherwise}${p("{{endif}}")}`;
    }
    this.#loops += 1;
    const item = `v${this.#loops}`;
    const within = [...turns, item];
    const list = `l${random.below(LISTS)}`;
    this.lists.set(item, list);
    if (kind === 6) {
      const content = this.#blocks(within, 3, depth - 1);
      return `${p(`{{for ${item} in ${list}}}`)}${content}${p("{{endfor}}")}`;
    }
    const cell = `${p(`{{tablerow ${item} in ${list}}}`)}${this.#blocks(within, 2, 0)}${p("{{endtablerow}}")}`;
    return `${table([cell])}${p("")}`;
  }

  #other(turns: readonly string[]): string {
    if (this.#random.oneIn(2) || this.#notes === NOTES) {
      const inline = `${r(`{{if ${turns.at(-1) ?? "this"}.a}}`)}${this.#bookmark(turns)}${r("{{endif}}")}`;
      return `<w:p>${inline}${this.#reference(turns)}</w:p>`;
    }
    this.#notes += 1;
    return `<w:p><w:r><w:footnoteReference w:id="${this.#notes}"/></w:r></w:p>`;
  }

  #place(turns: readonly string[]): string {
    return `[${turns.map((turn) => `${turn}={{${turn}.n}};`).join("")}]`;
  }

  #bookmark(turns: readonly string[]): string {
    const id = this.#bookmarks;
    this.#bookmarks += 1;
    return `<w:bookmarkStart w:id="${id}" w:name="m${id}"/>${r(this.#place(turns))}<w:bookmarkEnd w:id="${id}"/>`;
  }

  #reference(turns: readonly string[]): string {
    const random = this.#random;
    // Some references come before their bookmark, and some have no bookmark.
    const name = `m${random.below(this.#bookmarks + 3)}`;
    const result = this.#place(turns);
    return random.pick([
      () => complex(` REF ${name} \\h `, result),
      () => complex([" PAGE", `REF ${name} `], result),
      () => simple(` NOTEREF ${name} `, result),
      () => `<w:hyperlink w:anchor="${name}">${r(result)}</w:hyperlink>`,
    ])();
  }
}

function dataOf(random: Random): Record<string, unknown> {
  const flags = () => ({ a: random.oneIn(2), b: random.oneIn(2) });
  const list = () => Array.from({ length: random.below(4) }, (_, n) => ({ n, ...flags() }));
  const lists = Array.from({ length: LISTS }, (_, index) => [`l${index}`, list()]);
  return { s: "s", ...flags(), ...Object.fromEntries(lists) };
}

interface Found {
  readonly name: string;
  readonly turns: ReadonlyMap<string, string>;
}

function turnsIn(text: string): Map<string, string> {
  return new Map([...text.matchAll(/(v\d+)=(\d+);/g)].map(([, turn = "", n = ""]) => [turn, n]));
}

/** Returns the number of the item for each list that exactly one of the loops repeats. */
function itemsOf(
  turns: ReadonlyMap<string, string>,
  lists: ReadonlyMap<string, string>,
): Map<string | undefined, string> {
  const byList = Map.groupBy(turns, ([turn]) => lists.get(turn));
  const single = [...byList].filter(([, { length }]) => length === 1);
  return new Map(single.map(([list, [[, n] = ["", ""]]]) => [list, n]));
}

/**
 * Returns the loop whose item a reference means by a loop around it and its bookmark: a loop over the same list that is
 * only around the reference, innermost first.
 */
function turnMeant(
  turn: string,
  ofReference: ReadonlyMap<string, string>,
  ofBookmark: ReadonlyMap<string, string>,
  lists: ReadonlyMap<string, string>,
): string {
  const isSame = (other: string): boolean => lists.get(other) === lists.get(turn);
  const same = [...ofBookmark.keys()].filter(isSame);
  const inner = [...ofReference.keys()].filter((other) => isSame(other) && !ofBookmark.has(other));
  return inner.at(same.indexOf(turn) - same.length) ?? turn;
}

/** Returns the bookmarks of a document, or the references to them, with the iterations that their text names. */
function find(xml: string, pattern: RegExp): Found[] {
  return [...xml.matchAll(pattern)].map(([, name = "", text = ""]) => ({
    name,
    turns: turnsIn(text),
  }));
}

const BOOKMARK = /w:name="(m\d+(?:_\d+)?)"\/><w:r><w:t[^>]*>(\[[^\]]*\])/g;
const REFERENCE = /(?:REF |w:anchor=")(m\d+(?:_\d+)?)\b.*?(\[[^\]]*\])/gs;

test("a reference finds its bookmark, in its own iteration or for its own item", async () => {
  let references = 0;
  let linked = 0;
  let lost = 0;
  for (let number = 0; number < CASES; number++) {
    const seed = SEED + number;
    const random = new Random(seed, 0);
    const writer = new Writer(random);
    const template = await compileTemplate(wordFile(writer.file()));
    const { bytes, warnings } = template.render(dataOf(random));
    assertSound(bytes);
    const parts = partsOf(bytes);
    const [xml, notes] = [["document", "header1"], ["footnotes"]].map((names) =>
      names.map((part) => parts.get(`word/${part}.xml`) ?? "").join(""),
    ) as [string, string];
    const [own, inNotes] = [find(xml, BOOKMARK), find(notes, BOOKMARK)];
    const bookmarks = new Map([...own, ...inNotes].map(({ name, turns }) => [name, turns]));
    for (const { name, turns } of find(xml + notes, REFERENCE)) {
      references += 1;
      const target = bookmarks.get(name);
      expect(target, `seed ${seed}: ${name} is not there`).toBeDefined();
      for (const [turn, n] of target ?? []) {
        if (!turns.has(turn)) continue;
        const meant = turnMeant(turn, turns, target ?? new Map(), writer.lists);
        expect(turns.get(meant), `seed ${seed}: ${name}`).toBe(n);
      }
    }
    // The text of a note does not name the loops around the reference to the note.
    const targets = new Map(own.map(({ name, turns }) => [name, itemsOf(turns, writer.lists)]));
    for (const { name, turns } of find(xml, REFERENCE)) {
      const items = itemsOf(turns, writer.lists);
      for (const [list, n] of targets.get(name) ?? []) {
        if (!items.has(list)) continue;
        linked += 1;
        expect(items.get(list), `seed ${seed}: ${name}`).toBe(n);
      }
    }
    lost += warnings.filter(({ code }) => code === "reference_removed").length;
  }
  expect(references, `seed ${SEED}`).toBeGreaterThan(CASES);
  // Few random cases link items of the same list.
  expect(linked, `seed ${SEED}`).toBeGreaterThan(CASES / 10);
  expect(lost, `seed ${SEED}`).toBeGreaterThan(CASES / 2);
});
