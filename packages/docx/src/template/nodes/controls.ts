import type { Diagnostic } from "@quire/contracts";
import { spell, withTags } from "../../language/delimiters/wording.ts";
import { hasModifier } from "../../values/modifiers.ts";
import { placeOf } from "./diagnostics.ts";
import {
  type ControlState,
  childNamed,
  closest,
  contentOf,
  descendants,
  detach,
  type ElementNode,
  isVisible,
  type TagNode,
  type TemplateNode,
} from "./nodes.ts";

/** The properties of a control that contain its state. */
const STATES: Readonly<Record<string, ControlState["of"] | undefined>> = {
  "w14:checkbox": "checkbox",
  "w:date": "date",
  "w:dropDownList": "list",
  "w:comboBox": "list",
};

const BINDINGS: ReadonlySet<string> = new Set(["w:dataBinding", "w15:dataBinding"]);

/** A content control with tags in it. */
interface TaggedControl {
  readonly control: ElementNode;
  readonly properties: ElementNode;
  readonly content: ElementNode;
  /** The tag that is the whole content; null if there is also other text, or there are blocks or further tags. */
  readonly sole: TagNode | null;
}

/**
 * Keeps the states of content controls with tags in step with their content. A data binding is removed, because a bound
 * control shows the text of another part, as on Word's cover pages. The mark of a placeholder is removed, because the
 * content is a value. The state of a check box, a date or a list follows the tag if a single tag is the whole content.
 * Otherwise the state is removed, so that it cannot be wrong.
 */
export function settleControls(root: ElementNode): void {
  for (const control of taggedControls(root)) {
    const { properties, content } = control;
    for (const child of elementsOf(properties)) {
      if (BINDINGS.has(child.name)) detach(child);
      if (child.name === "w:showingPlcHdr") {
        detach(child);
        for (const node of descendants(content)) detachStyle(node);
      }
      const of = STATES[child.name];
      if (of !== undefined) settleState(child, of, control);
    }
  }
}

/** Returns warnings about controls whose states cannot follow their content. */
export function controlWarnings(root: ElementNode): Diagnostic[] {
  return taggedControls(root).flatMap(({ control, properties, content, sole }) => {
    const tag = sole ?? firstTag(content, control);
    const kind = elementsOf(properties).find(({ name }) => LOSING.has(name))?.name;
    if (tag === null || kind === undefined) return [];
    const isBox = kind === "w14:checkbox";
    const follows = sole !== null && (!isBox || isCheckbox(sole));
    return follows ? [] : [stateWarning(tag, isBox)];
  });
}

function stateWarning({ place, text, near, delimiters }: TagNode, isBox: boolean): Diagnostic {
  return {
    severity: "warning",
    code: "control_state",
    message: isBox
      ? `The check box control around ${text} becomes plain text: its state cannot follow its content.`
      : `Whether the text of the drop-down list around ${text} is one of its entries cannot be checked.`,
    hint: spell(
      isBox
        ? withTags`Put only one tag into the control, with the modifier checkbox, such as {{member :: checkbox}}.`
        : withTags`Put only one tag into the control, such as {{country}}.`,
      delimiters,
    ),
    template: { ...placeOf(place), tag: text, near },
  };
}

/** Controls that would mislead readers if the state did not follow the text. */
const LOSING: ReadonlySet<string> = new Set(["w14:checkbox", "w:dropDownList"]);

function taggedControls(root: ElementNode): TaggedControl[] {
  const found = new Map<ElementNode, TaggedControl | null>();
  for (const node of descendants(root)) {
    if (!holdsTag(node)) continue;
    for (let at = closest(node.parent, "w:sdt"); at !== null; at = closest(at.parent, "w:sdt")) {
      if (found.has(at)) break;
      const properties = childNamed(at, "w:sdtPr");
      const content = childNamed(at, "w:sdtContent");
      const isThere = properties !== null && content !== null;
      found.set(at, isThere ? { control: at, properties, content, sole: soleTag(content) } : null);
    }
  }
  return [...found.values()].filter((control) => control !== null);
}

function holdsTag(node: TemplateNode): boolean {
  if (node.kind === "element") return node.tagged !== undefined;
  return node.kind === "tag" || node.kind === "marker";
}

/** Returns the tag that is the whole content of a control, or null. */
function soleTag(content: ElementNode): TagNode | null {
  let sole: TagNode | null = null;
  for (const node of contentOf(content)) {
    if (node.kind === "tag" && sole === null && node.directive.kind === "value") sole = node;
    else if (node.kind !== "element" && node.kind !== "text") return null;
    else if (isVisible(node) || (node.kind === "element" && node.name === "w:sdt")) return null;
  }
  return sole;
}

/** Returns the first tag in a control that is not in a nested control, or null. */
function firstTag(content: ElementNode, control: ElementNode): TagNode | null {
  for (const node of descendants(content)) {
    if (node.kind !== "tag" && node.kind !== "marker") continue;
    if (closest(node, "w:sdt") === control) return node.kind === "tag" ? node : node.tag;
  }
  return null;
}

function isCheckbox({ directive }: TagNode): boolean {
  return directive.kind === "value" && hasModifier(directive.modifiers, "checkbox");
}

function settleState(element: ElementNode, of: ControlState["of"], { sole }: TaggedControl): void {
  if (of === "checkbox") {
    const checked = childNamed(element, "w14:checked");
    if (sole === null || checked === null || !isCheckbox(sole)) detach(element);
    else checked.state = { of, tag: sole };
    return;
  }
  const attribute = of === "date" ? "w:fullDate" : "w:lastValue";
  element.attributes = element.attributes.replace(new RegExp(` ${attribute}="[^"]*"`), "");
  if (sole !== null) element.state = { of, tag: sole };
}

/** Removes the style of placeholders, which is gray. */
function detachStyle(node: TemplateNode): void {
  if (node.kind !== "element" || node.name !== "w:rPr" || node.parent?.name !== "w:r") return;
  const style = childNamed(node, "w:rStyle");
  if (style !== null) detach(style);
}

function elementsOf(parent: ElementNode): ElementNode[] {
  return parent.children.filter((child): child is ElementNode => child.kind === "element");
}
