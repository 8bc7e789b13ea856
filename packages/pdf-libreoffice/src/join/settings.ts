import { refuse } from "./refusal.ts";
import { isOn, type TagReader } from "./tags.ts";
import { isFreeSetting } from "./whitelist.ts";

/** Refuses settings that make pages depend on preceding content. */
export function checkSettings(xml: string, tags: TagReader): void {
  let depth = 0;
  const first = xml.startsWith("<?") ? xml.indexOf("<", 1) : 0;
  for (let at = first; at !== -1; at = xml.indexOf("<", at + 1)) {
    const tag = tags.read(xml, at);
    if (tag.closes) depth -= 1;
    else {
      if (depth === 1 && !isFreeSetting(tag.name, isOn(tag))) refuse(`the setting ${tag.name}`);
      if (!tag.empty) depth += 1;
    }
  }
}
