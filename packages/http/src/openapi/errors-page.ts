import { CODE_PAGES, type CodePage, type ErrorCase } from "../wire/code-pages.ts";
import { WIRE_CODES, type WireCode } from "../wire/problem.ts";
import { exampleError } from "./error-responses.ts";
import { code, type Html, html, pageOf, prose } from "./html.ts";

/** What there is to read about the codes of errors, each at an anchor of its own. */
export function errorsPage(url: string): string {
  const pages = Object.entries(CODE_PAGES) as [WireCode, CodePage][];
  const told = pages.filter(([, { cases }]) => cases.length > 0);
  return pageOf({
    title: "Errors",
    styles: "style.css",
    nav: html`<p><a href="../docs">All operations</a></p>
<ul>
${told.map(([name]) => html`<li><a href="#${name}">${name}</a></li>\n`)}</ul>
`,
    main: html`<h1>Errors</h1>
<p>Every error has the same body: <code>code</code> says what kind it is, <code>message</code> what failed, why and how to mend it, <code>context_info</code> more where there is more. What <code>request_id</code> names stands in the log of the service; it comes as the header <code>x-request-id</code> as well.</p>
${told.map(([name, page]) => section(name, page, url))}<section>
<h2>Codes that no error has</h2>
<p>The contract lists them as well; they say how a request went well.</p>
<ul>
${WIRE_CODES.filter((name) => CODE_PAGES[name].cases.length === 0).map(
  (name) => html`<li id="${name}"><code>${name}</code></li>\n`,
)}</ul>
</section>
`,
  });
}

function section(name: WireCode, { meaning, cases }: CodePage, url: string): Html {
  return html`<section id="${name}">
<h2><a href="#${name}">${name}</a></h2>
<p>${prose(meaning)}</p>
${cases.map((about) => caseOf(name, about, url))}</section>
`;
}

function caseOf(name: WireCode, about: ErrorCase, url: string): Html {
  return html`<h3>${about.status}</h3>
<p>${prose(about.when)}</p>
<p><b>What to do:</b> ${prose(about.remedy)}</p>
${code(exampleError(name, about, url))}`;
}
