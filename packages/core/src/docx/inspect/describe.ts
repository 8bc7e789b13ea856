import type { Facts } from "./data-node.ts";
import type { Field, Form } from "./shape.ts";

/** What a reader should know of a field: what may stand there, and which tags name it. */
export function describeField({ form, tags, moreTags }: Field): string {
  const what = describeForm(form);
  if (tags.length === 0) return what;
  const named = `Used by ${tags.join(", ")}${moreTags ? " and others" : ""}.`;
  return what === "" ? named : `${what} ${named}`;
}

function describeForm(form: Form): string {
  switch (form.kind) {
    case "anything":
      return form.facts.uses.has("counted")
        ? "A list to count."
        : "Anything: the template only asks whether it is there and true.";
    case "list":
      return form.item.kind === "value" ? describeElements(form.item) : "";
    case "section":
      return "A list, an object, or true.";
    case "object":
      return "";
    case "value":
      return describeValue(form);
  }
}

function describeElements(item: Extract<Form, { kind: "value" }>): string {
  const sentence = describeValue(item);
  return sentence === "" ? "" : `Of each element: ${sentence}`;
}

function describeValue({ type, facts }: Extract<Form, { kind: "value" }>): string {
  switch (type) {
    case "number":
      return "A number.";
    case "image":
      return "An image: base64 of a PNG, JPEG, GIF or SVG, or a reference to a file.";
    case "date":
      return facts.uses.has("time")
        ? "A date with the time of day, such as 2026-11-20T15:30."
        : "A date, such as 2026-11-20.";
    case "text or number":
      return facts.mask === null ? `For a ${facts.barcode}.` : characters(facts.mask);
    default:
      return describeText(facts);
  }
}

function characters(count: number): string {
  return `${count} character${count === 1 ? "" : "s"}.`;
}

function describeText({ uses }: Facts): string {
  if (uses.has("url")) return "The address of a link.";
  if (uses.has("html")) return "HTML.";
  return uses.has("markdown") ? "Markdown." : "";
}
