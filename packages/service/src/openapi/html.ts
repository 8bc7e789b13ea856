/** A piece of HTML. Any other value is escaped when it is inserted into HTML. */
export interface Html {
  readonly html: string;
}

type Part = Html | string | number | readonly Html[] | null;

/** Returns HTML from a template literal. Escapes the inserted parts unless they are HTML. Null inserts nothing. */
export function html(texts: TemplateStringsArray, ...parts: readonly Part[]): Html {
  const written = parts.map((part, index) => textOf(part) + (texts[index + 1] ?? ""));
  return { html: (texts[0] ?? "") + written.join("") };
}

/** Returns sentences as HTML. Text between backticks becomes a `code` element. */
export function prose(text: string): Html[] {
  return text
    .split("`")
    .map((piece, index) => (index % 2 === 1 ? html`<code>${piece}</code>` : html`${piece}`));
}

/** Returns paragraphs as HTML. Empty lines separate them; see {@link prose}. */
export function paragraphs(text: string): Html[] {
  return text.split("\n\n").map((paragraph) => html`<p>${prose(paragraph)}</p>\n`);
}

/** Returns a value as indented JSON. Strings are shown unchanged. */
export function code(value: unknown): Html {
  const text = typeof value === "string" ? value : JSON.stringify(value, null, 2);
  return html`<pre tabindex="0"><code>${text}</code></pre>\n`;
}

/** Returns a complete page. `styles` is the address of the stylesheet, relative to the page. */
export function pageOf({
  title,
  styles,
  nav,
  main,
}: {
  readonly title: string;
  readonly styles: string;
  readonly nav: Html;
  readonly main: Html;
}): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="stylesheet" href="${styles}">
</head>
<body>
<a class="skip" href="#main">To the content</a>
<nav aria-label="Contents">
${nav}</nav>
<main id="main">
${main}</main>
</body>
</html>
`.html;
}

function textOf(part: Part): string {
  if (part === null) return "";
  if (typeof part === "string" || typeof part === "number") return escaped(String(part));
  if ("html" in part) return part.html;
  return part.map((piece) => piece.html).join("");
}

function escaped(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;");
}
