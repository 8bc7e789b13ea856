import type { Json } from "@quire/http/parts";
import { code, type Html, html, paragraphs, prose } from "./html.ts";
import { defaultOf, typeOf } from "./schema-html.ts";

/** Looks up the target of a reference. Returns any other part unchanged. */
export type Resolve = (part: Json) => Json;

/** Returns one operation of the document as HTML: the request and the responses. */
export function operationArticle(
  {
    method,
    path,
    operation,
  }: { readonly method: string; readonly path: string; readonly operation: Json },
  resolve: Resolve,
): Html {
  const id = String(operation.operationId);
  const scopes = (operation.security as Record<string, string[]>[])
    .flatMap((one) => Object.values(one).flat())
    .map((scope) => `\`${scope}\``)
    .join(" or ");
  const parameters = (operation.parameters as Json[]).map(resolve);
  const responses = Object.entries(operation.responses as Record<string, Json>);
  return html`<article id="${id}">
<h3><a href="#${id}">${String(operation.summary)}</a></h3>
<p class="route"><b class="method ${method}">${method.toUpperCase()}</b> <code>${path}</code></p>
${paragraphs(String(operation.description))}<p>Scope: ${prose(scopes)}.</p>
${parameters.length === 0 ? null : parameterTable(parameters)}${bodyOf(operation.requestBody as Json | undefined)}<h4>Answers</h4>
${responses.map(([status, response]) => answer(status, resolve(response)))}</article>
`;
}

function parameterTable(parameters: readonly Json[]): Html {
  const rows = parameters.map(({ name, in: place, required, description, schema }) => {
    const { ...json } = schema as Json;
    return html`<tr>
<th scope="row"><code>${String(name)}</code>${required === true ? null : html` <small>optional</small>`}</th>
<td>${String(place)}</td>
<td>${typeOf(json)}</td>
<td>${prose(String(description))}${defaultOf(json)}</td>
</tr>
`;
  });
  return html`<h4>Parameters</h4>
<table>
<thead><tr><th scope="col">Name</th><th scope="col">In</th><th scope="col">Type</th><th scope="col">About</th></tr></thead>
<tbody>
${rows}</tbody>
</table>
`;
}

function bodyOf(body: Json | undefined): Html | null {
  if (body === undefined) return null;
  return html`<h4>Body</h4>
<p>${prose(String(body.description))}</p>
${Object.entries(body.content as Record<string, Json>).map(([type, about]) => mediaType(type, about))}`;
}

/** Returns a successful response in full as HTML, and an error as one line with links to the page about its codes. */
function answer(status: string, { description, content = {} }: Json): Html {
  const line = html`<b>${status === "default" ? "other" : status}</b> ${prose(String(description))}`;
  const types = Object.entries(content as Record<string, Json>);
  if (!status.startsWith("2")) {
    const codes = new Set(
      types.flatMap(([, { examples = {} }]) =>
        Object.values(examples as Record<string, { value: { code: string } }>).map(
          ({ value }) => value.code,
        ),
      ),
    );
    const links = [...codes].map((name) => html` <a href="docs/errors#${name}">${name}</a>`);
    return html`<p class="answer error">${line}${links}</p>\n`;
  }
  return html`<p class="answer">${line}</p>\n${types.map(([type, about]) => mediaType(type, about))}`;
}

function mediaType(type: string, { schema, example }: Json): Html {
  const { properties } = schema as { properties?: Record<string, Json> };
  const parts = Object.entries(properties ?? {}).map(
    ([name, part]) => html`<li><code>${name}</code>: ${typeOf(part)}</li>\n`,
  );
  const what = parts.length === 0 ? html`: ${typeOf(schema as Json)}` : html`:`;
  return html`<p><code>${type}</code>${what}</p>
${parts.length === 0 ? null : html`<ul>\n${parts}</ul>\n`}${example === "…" ? null : code(example)}`;
}
