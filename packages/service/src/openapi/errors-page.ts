import { WIRE_CODES, type WireCode } from "@quire/http/parts";
import { CODE_PAGES } from "./code-pages.ts";
import { type CodePage, type ErrorCase, exampleError } from "./error-docs.ts";
import { code, type Html, html, pageOf, prose } from "./html.ts";

/** Returns the page about error codes, which has an anchor for each code. */
export function errorsPage(url: string): string {
  const pages = Object.entries(CODE_PAGES) as [WireCode, CodePage][];
  const documented = pages.filter(([, { cases }]) => cases.length > 0);
  return pageOf({
    title: "Errors",
    styles: "style.css",
    nav: html`<p><a href="../docs">All operations</a></p>
<ul>
${documented.map(([name]) => html`<li><a href="#${name}">${name}</a></li>\n`)}</ul>
`,
    main: html`<h1>Errors</h1>
<p>Every error has the same body: <code>code</code> is the kind of error. <code>message</code> says what failed, why, and how to fix it. <code>context_info</code> has more details, if there are any. <code>request_id</code> identifies the request in the log of the service; the header <code>x-request-id</code> has the same value.</p>
${documented.map(([name, page]) => section(name, page, url))}<section>
<h2>Codes that no error has</h2>
<p>The contract also lists these codes, for successful requests.</p>
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
${code(exampleError(name, about, `${url}/docs/errors`))}`;
}
