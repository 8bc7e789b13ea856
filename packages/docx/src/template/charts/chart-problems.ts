import type { Diagnostic } from "@quire/contracts";
import { type Wording, withTags } from "../../language/delimiters/wording.ts";
import type { ModifierName } from "../../language/grammar/modifier-signatures.ts";
import { isLook } from "../../language/looks.ts";
import { tagProblem } from "../nodes/diagnostics.ts";
import type { TagNode } from "../nodes/nodes.ts";
import type { LoopTags } from "./loop-marks.ts";

export function splitCategory(open: TagNode): Diagnostic {
  return problem(
    open,
    "does not begin and end in one category",
    withTags`Put all of it into the first cell of the categories: {{for m in months}}{{m.name}}{{endfor}}.`,
  );
}

export function onlyCategory(open: TagNode): Diagnostic {
  return problem(
    open,
    "is one of several categories",
    "Delete the other rows of the chart's data in Word: the loop makes them.",
  );
}

/** `loop`: the loop in the name of the series, or null. */
export function withoutValue(open: TagNode, alias: string, loop: LoopTags | null): Diagnostic {
  return problem(
    open,
    "has a series without the tag of its value",
    loop === null
      ? withTags`Write the tag after the name of the series, as in Sales {{${alias}.sales}}.`
      : withTags`Write the tag of the value for each '${alias}' before the end of the loop, as in ${loop.open.text}{{${loop.alias}.name}} {{${loop.alias}.sales[${alias}.$index]}}{{endfor}}.`,
  );
}

export function unknownModifier(value: TagNode, name: ModifierName): Diagnostic {
  if (isLook(name)) {
    return problem(
      value,
      `has '${name}', but the value of a series has no text`,
      `Leave out '${name}'. For the color of the series write :: fill("red").`,
    );
  }
  return problem(
    value,
    "is the value of a series, whose format is the one of the axis",
    `Leave out '${name}', and format the axis in Word.`,
  );
}

export function fillPerCategory(value: TagNode): Diagnostic {
  return problem(
    value,
    "has a color for each category, but in a chart of this kind the whole series has one color",
    "Use a color that is the same for all categories, or a chart with columns, bars or a pie.",
  );
}

export function seriesWithoutCategory(open: TagNode): Diagnostic {
  return problem(
    open,
    "repeats a series, but the chart has no loop in its category",
    withTags`Give the chart's data one row, with a loop in its category: {{for m in months}}{{m.name}}{{endfor}}.`,
  );
}

export function notInOneName(open: TagNode): Diagnostic {
  return problem(
    open,
    "does not begin and end in the name of one series",
    withTags`Put all of it into one cell: ${open.text}{{s.name}} {{s.sales[m.$index]}}{{endfor}}. The cell needs no other tags.`,
  );
}

export function afterEnd(open: TagNode): Diagnostic {
  return problem(
    open,
    "ends before the last tag of the name",
    withTags`Put {{endfor}} at the end of the cell, after the tag of the value.`,
  );
}

export function sameName(open: TagNode): Diagnostic {
  return problem(
    open,
    "gives its items the name that the items of the category have",
    withTags`Use two names, such as {{for m in months}} in the category and {{for s in sellers}} in the name of the series.`,
  );
}

/** For a loop in the name of a series that repeats a list of the category's item. */
export function listOfCategory(loop: LoopTags, categories: LoopTags): Diagnostic {
  const keys = pathOf(loop)?.slice(categories.alias.length);
  const [list, inner] =
    keys === undefined ? ["months", ".sellers"] : [pathOf(categories) ?? "months", keys];
  return problem(
    loop.open,
    `repeats a list of '${categories.alias}', but each series has all categories`,
    withTags`Take the series from the first item, as in {{for ${loop.alias} in ${list}[0]${inner}}}, and each value from its own: {{${categories.alias}${inner}[${loop.alias}.$index].sales}}.`,
  );
}

/** Returns the path of the list of a loop; null if functions shape it. */
function pathOf({ open: { directive } }: LoopTags): string | null {
  return "collection" in directive && directive.shape === null ? directive.collection.source : null;
}

export function categoryPerSeries(open: TagNode, series: TagNode): Diagnostic {
  return problem(
    open,
    `repeats a list that depends on ${series.text}, but all series have the same categories`,
    "Repeat a list that does not depend on the series.",
  );
}

export function sameForAllSeries(value: TagNode, open: TagNode, alias: string): Diagnostic {
  return problem(
    value,
    `has the same values for each series of ${open.text}`,
    withTags`Use the item of the series in the tag, as in {{${alias}.sales[$index]}}.`,
  );
}

export function wrongKind(open: TagNode): Diagnostic {
  return problem(
    open,
    "repeats a series in a chart of a kind that has a fixed number of them",
    withTags`Use another kind, such as columns, lines or a doughnut. For a pie for each item, put the chart between {{for …}} and {{endfor}} in the text.`,
  );
}

/** `most`: the number of series that Word accepts. */
export function tooManySeries(open: TagNode, most: number): Diagnostic {
  return problem(
    open,
    `repeats one of more than ${most} series, and Word accepts at most ${most}`,
    "Delete series of the chart in Word.",
  );
}

function problem(tag: TagNode, why: string, hint: Wording): Diagnostic {
  return tagProblem(tag, "chart_loop", `The tag ${tag.text} in a chart ${why}.`, hint);
}
