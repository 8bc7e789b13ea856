import type { Json } from "@quire/http/parts";
import { type Html, html, pageOf, paragraphs, prose } from "./html.ts";
import { operationArticle, type Resolve } from "./operation-html.ts";
import { schemaSection } from "./schema-html.ts";

interface Place {
  readonly method: string;
  readonly path: string;
  readonly operation: Json;
}

/** Returns an OpenAPI document as a complete HTML page. It has no script and needs only the stylesheet. */
export function docsPage(document: Json): string {
  const { info, components, servers } = document as Record<string, Json>;
  const tags = document.tags as { name: string; description: string }[];
  const places = placesOf(document.paths as Record<string, Record<string, Json>>);
  const schemas = Object.entries(components?.schemas as Record<string, Json>);
  const of = (tag: string) =>
    places.filter(({ operation }) => (operation.tags as string[]).includes(tag));
  const title = `${info?.title} ${info?.version}`;
  const [server] = servers as unknown as { url: string }[];
  return pageOf({
    title,
    styles: "docs/style.css",
    nav: html`<p><a href="#main">${title}</a></p>
${tags.map(({ name }) => menu(name, of(name)))}<p><a href="#schemas">Schemas</a></p>
<p><a href="docs/errors">Errors</a></p>
`,
    main: html`<h1>${title}</h1>
<p class="summary">${String(info?.summary)}</p>
${paragraphs(String(info?.description))}<p>All paths are below <code>${server?.url ?? ""}</code>. The machine-readable form: <a href="openapi.json">openapi.json</a>. The meaning of errors: <a href="docs/errors">docs/errors</a>.</p>
<p>${prose(security(components))}</p>
${tags.map(
  ({ name, description }) => html`<section id="${anchor(name)}">
<h2>${name}</h2>
<p>${prose(description)}</p>
${of(name).map((place) => operationArticle(place, resolver(components)))}</section>
`,
)}<section id="schemas">
<h2>Schemas</h2>
${schemas.map(([name, schema]) => schemaSection(name, schema))}</section>
`,
  });
}

function menu(tag: string, places: readonly Place[]): Html {
  const links = places.map(
    ({ operation }) =>
      html`<li><a href="#${String(operation.operationId)}">${String(operation.summary)}</a></li>\n`,
  );
  return html`<p><a href="#${anchor(tag)}">${tag}</a></p>\n<ul>\n${links}</ul>\n`;
}

function placesOf(paths: Record<string, Record<string, Json>>): Place[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ method, path, operation })),
  );
}

function resolver(components: Json | undefined): Resolve {
  return (part) => {
    if (typeof part.$ref !== "string") return part;
    const [kind = "", name = ""] = part.$ref.slice("#/components/".length).split("/");
    return ((components?.[kind] ?? {}) as Record<string, Json>)[name] ?? {};
  };
}

function security(components: Json | undefined): string {
  const schemes = (components?.securitySchemes ?? {}) as Record<string, { description: string }>;
  return Object.values(schemes)
    .map(({ description }) => `\`authorization: Bearer …\`: ${description}`)
    .join(" ");
}

function anchor(tag: string): string {
  return tag.toLowerCase().replaceAll(" ", "-");
}
