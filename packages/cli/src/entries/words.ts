/** The words for true and false in spreadsheets and forms, in lower case. `docs/cli.md` lists them. */
const TRUE =
  "true yes y t on 1 x ✓ ✔ ☑ ☒ wahr ja j vrai oui verdadero sí si vero sì verdadeiro sim waar sand sann sant tosi kyllä " +
  "prawda tak pravda ano áno igaz igen adevărat da истина да так doğru evet αληθής αληθης ναι";
const FALSE =
  "false no n f off 0 ✗ ✘ ☐ falsch nein faux non falso não nao onwaar nee falsk falskt nej nei usann epätosi ei fałsz nie nepravda ne " +
  "hamis nem fals nu ложь нет ні yanlış yanliş hayır hayir ψευδής ψευδης όχι οχι";

const WORDS: ReadonlyMap<string, boolean> = new Map([
  ...TRUE.split(" ").map((word) => [word, true] as const),
  ...FALSE.split(" ").map((word) => [word, false] as const),
]);

/** Returns the meaning of a word: true, false, or null for any other word. Ignores case and surrounding spaces. */
export function truthOf(text: string): boolean | null {
  return WORDS.get(text.trim().toLowerCase().normalize("NFC")) ?? null;
}

/** Whether the text is zero in some spelling: `0`, `0,00`, `-0.0`, `0 %`, `€ 0.00`, `0,00 EUR`, `0:00` hours. */
export function isZero(text: string): boolean {
  if (/^\s*-?0:00(?::00)?\s*$/.test(text)) return true;
  const amount = text.replace(/^\s*[A-Z]{3}(?![A-Z])|(?<![A-Z])[A-Z]{3}\s*$/g, "");
  return /0/.test(amount) && /^[\s\p{Sc}%+\-−.,'’0]*$/u.test(amount);
}
