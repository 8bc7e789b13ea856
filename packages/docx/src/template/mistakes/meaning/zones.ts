import type { Diagnostic } from "@quire/contracts";
import { tagProblem } from "../../nodes/diagnostics.ts";
import type { TagNode } from "../../nodes/nodes.ts";

/** Short names of time zones that are others than most authors mean: the end of the message, and the hint. */
const DOUBTFUL: Readonly<Record<string, readonly [message: string, hint: string]>> = {
  EST: [
    "'EST' has no daylight saving time",
    'Write timeZone("America/New_York"). For the time without daylight saving time write "-05:00".',
  ],
  MST: [
    "'MST' has no daylight saving time",
    'Write timeZone("America/Denver"). For the time without daylight saving time write "-07:00".',
  ],
  BST: [
    "'BST' is the time in Bangladesh",
    'For British time write timeZone("Europe/London"), and for Bangladesh "Asia/Dhaka".',
  ],
};

/** Warns about `timeZone("EST")` and `timeZone("Etc/GMT+2")`, which are other time zones than most authors mean. */
export function doubtfulZone(tag: TagNode): Diagnostic | null {
  if (tag.directive.kind !== "value") return null;
  const zone = tag.directive.modifiers.find(({ name }) => name === "timeZone")?.arguments[0]?.value;
  const [message, hint] = (zone && (DOUBTFUL[zone.toUpperCase()] ?? reversed(zone))) || [];
  if (message === undefined || hint === undefined) return null;
  const problem = tagProblem(tag, "doubtful_date", `In the tag ${tag.text}, ${message}.`, hint);
  return { ...problem, severity: "warning" };
}

/** `Etc/GMT+2` is two hours behind UTC. */
function reversed(zone: string): readonly [message: string, hint: string] | null {
  const [, sign, hours] = /^Etc\/GMT([+-])(\d{1,2})$/i.exec(zone) ?? [];
  if (sign === undefined || hours === undefined || Number(hours) === 0) return null;
  const [side, other] = sign === "+" ? ["behind", "-"] : ["ahead of", "+"];
  const offset = `${hours.padStart(2, "0")}:00`;
  return [
    `the sign of '${zone}' is reversed: it is ${side} UTC`,
    `Write timeZone("${sign}${offset}"), or "${other}${offset}" for a time ${side} UTC.`,
  ];
}
