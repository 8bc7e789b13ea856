import { exampleError } from "../../src/openapi/error-responses.ts";
import { CODE_PAGES, type CodePage } from "../../src/wire/code-pages.ts";
import type { WireCode } from "../../src/wire/problem.ts";

const INTRODUCTION = `# Errors of the service

Every error of the HTTP service has the same body: \`code\` says what kind it is, \`message\` what failed, why and
how to mend it, \`context_info\` more where there is more, \`help_url\` leads to the section of the code in the service's
own copy of this page, \`/docs/errors\`. What \`request_id\` names stands in the log of the service; it comes as the
header \`x-request-id\` as well. Errors of the engine are another list: [errors.md](errors.md).

This page is written from \`packages/http/src/wire/code-pages.ts\` by \`npm run tests -- packages/http/test/openapi -u\`.
`;

/** `docs/http-errors.md`, as it has to be. */
export function errorsMarkdown(): string {
  const pages = Object.entries(CODE_PAGES) as [WireCode, CodePage][];
  const told = pages.filter(([, { cases }]) => cases.length > 0);
  const never = pages.filter(([, { cases }]) => cases.length === 0);
  return [
    INTRODUCTION,
    ...told.map(([code, page]) => section(code, page)),
    `## Codes that no error has\n\nThe contract lists them as well; they say how a request went well: ${never
      .map(([code]) => `\`${code}\``)
      .join(", ")}.\n`,
  ].join("\n");
}

function section(code: WireCode, { meaning, cases }: CodePage): string {
  const told = cases.map((about) => {
    const example = exampleError(code, about, "https://quire.example.com");
    return `**${about.status}** ${about.when} ${about.remedy}\n\n\`\`\`json\n${JSON.stringify(example, null, 2)}\n\`\`\`\n`;
  });
  return [`## ${code}\n\n${meaning}\n`, ...told].join("\n");
}
