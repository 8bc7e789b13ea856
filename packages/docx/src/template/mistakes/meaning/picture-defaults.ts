import type { Diagnostic } from "@quire/contracts";
import { isPictureFile } from "../../../values/image/picture-names.ts";
import { tagProblem } from "../../nodes/diagnostics.ts";
import type { TagNode } from "../../nodes/nodes.ts";

/** Warns about `{{photo :: default("logo.png"), width("3cm")}}`, which prints the name of the file. */
export function fileAsDefault(tag: TagNode): Diagnostic | null {
  if (tag.directive.kind !== "value") return null;
  const { modifiers } = tag.directive;
  if (!modifiers.some(({ name }) => /^(?:width|height|fit)$/.test(name))) return null;
  const instead = modifiers.find(({ name }) => name === "default")?.arguments[0];
  if (instead?.kind !== "string" || !isPictureFile(instead.value)) return null;
  const message = `The default of ${tag.text} is text, so it prints the name of a file.`;
  const hint =
    "For another picture write the name of a picture in the data, without quotes: default(logo).";
  return { ...tagProblem(tag, "external_image", message, hint), severity: "warning" };
}
