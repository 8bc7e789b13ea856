/** Maximum length of a quoted tag, key or string in characters, including the `…` at its end. */
const MAX_QUOTED = 200;
/** Maximum length of a sentence with its quotations, in characters. Longer sentences lose their middle. */
const MAX_SENTENCE = 1_000;
/** Number of characters kept at the end of a sentence that loses its middle. */
const TAIL = 300;

/** Returns the text, shortened to `max` characters (code points) with `…` at the end. */
export function cutText(text: string, max = MAX_QUOTED): string {
  if (text.length <= max) return text;
  const characters = [...text.slice(0, 2 * max + 2)];
  return characters.length <= max ? text : `${characters.slice(0, max - 1).join("")}…`;
}

/**
 * Shortens a sentence that may quote templates or data: each word, and each quotation in quotes or braces, to 200
 * characters, and the whole sentence to 1,000.
 */
export function cutSentence(sentence: string): string {
  if (sentence.length <= MAX_QUOTED) return sentence;
  const words = sentence.replace(/\S+/g, cutWord);
  const quotes = words.replace(QUOTED, (whole) => cutBetween(whole, 1, 1));
  if (quotes.length <= 2 * MAX_SENTENCE && [...quotes].length <= MAX_SENTENCE) return quotes;
  const head = [...quotes.slice(0, 2 * MAX_SENTENCE)].slice(0, MAX_SENTENCE - TAIL - 1);
  const tail = [...quotes.slice(-2 * TAIL)].slice(-TAIL);
  return `${head.join("")}…${tail.join("")}`;
}

/** Shortens a JSON Pointer: each key to 200 characters, the whole pointer to 1,000. */
export function cutPointer(pointer: string): string {
  if (pointer.length <= MAX_QUOTED) return pointer;
  const keys = pointer.replace(/[^/]+/g, (key) => cutText(key));
  return cutText(keys, MAX_SENTENCE);
}

/** Text in quotes, or in the braces of a tag. An apostrophe does not open a quotation. */
const QUOTED = /(?<![\p{L}\p{N}])'[^']*'|"[^"]*"|\{[^{}]*\}/gu;

/** Shortens a word, but keeps the quotes, brackets and punctuation around it. */
function cutWord(word: string): string {
  if (word.length <= MAX_QUOTED) return word;
  const before = /^['"({[]{0,4}/.exec(word)?.[0].length ?? 0;
  const behind = /['")}\].,:;?!]{0,4}$/.exec(word.slice(-4))?.[0].length ?? 0;
  return cutBetween(word, before, behind);
}

/** Shortens the text between its first `before` and its last `behind` characters. */
function cutBetween(text: string, before: number, behind: number): string {
  const end = text.length - behind;
  return text.slice(0, before) + cutText(text.slice(before, end)) + text.slice(end);
}
