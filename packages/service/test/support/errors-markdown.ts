import type { WireCode } from "@quire/http/parts";
import { CODE_PAGES } from "../../src/openapi/code-pages.ts";
import { type CodePage, exampleError } from "../../src/openapi/error-docs.ts";

const INTRODUCTION = `# Errors of the service

Every error of the HTTP service has the same body. \`code\` is the kind of error. \`message\` says what failed, why, and
how to fix it. \`context_info\` has more details, if there are any. \`help_url\` leads to the section of the code in the
service's copy of this page, \`/docs/errors\`. \`request_id\` identifies the request in the log of the service; the header
\`x-request-id\` has the same value. For errors of the engine, see [errors.md](errors.md).

This page is generated from \`packages/service/src/wire/code-pages.ts\` by \`npm run tests -- packages/service/test/openapi -u\`.
`;

/** Returns the expected text of `docs/http-errors.md`. */
export function errorsMarkdown(): string {
  const pages = Object.entries(CODE_PAGES) as [WireCode, CodePage][];
  const told = pages.filter(([, { cases }]) => cases.length > 0);
  const never = pages.filter(([, { cases }]) => cases.length === 0);
  return [
    INTRODUCTION,
    ...told.map(([code, page]) => section(code, page)),
    `## Codes that no error has\n\nThe contract also lists these codes, for successful requests: ${never
      .map(([code]) => `\`${code}\``)
      .join(", ")}.\n`,
  ].join("\n");
}

function section(code: WireCode, { meaning, cases }: CodePage): string {
  const told = cases.map((about) => {
    const example = exampleError(code, about, "https://quire.example.com/docs/errors");
    return `**${about.status}** ${about.when} ${about.remedy}\n\n<!-- output -->\n\`\`\`json\n${JSON.stringify(example, null, 2)}\n\`\`\`\n`;
  });
  return [`## ${code}\n\n${meaning}\n`, ...told].join("\n");
}
