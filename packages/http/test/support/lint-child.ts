/** Lints the OpenAPI document from standard input, and prints the problems as JSON. */
import { text } from "node:stream/consumers";
import { createConfig, lintFromString } from "@redocly/openapi-core";

const config = await createConfig({ extends: ["recommended-strict"] });
const found = await lintFromString({ source: await text(process.stdin), config });
const problems = found.map(
  ({ severity, ruleId, message, location }) =>
    `${severity} ${ruleId} ${location[0]?.pointer}: ${message}`,
);
process.stdout.write(JSON.stringify(problems));
