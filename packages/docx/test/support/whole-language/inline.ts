import { attribute, FIXED_PICTURE_ID, PICTURE_ID, text } from "./draft.ts";
import type { Names } from "./expressions.ts";
import { type Pen, runs, type Strip } from "./pen.ts";

const STATIC = ["Dear ", "a & b", "x<y>", "Größe ", " - ", "", "日本 😀", "“quoted”", "1. ", "  "];
/** Returns random content of a paragraph, in which tags can use these names. */
export function strip(pen: Pen, names: Names, depth: number): Strip {
  const { random } = pen;
  return random.several(0, 4, () => piece(pen, names, depth)).flat();
}

function piece(pen: Pen, names: Names, depth: number): Strip {
  const { random, tags, start, end } = pen;
  random.budget -= 0.3;
  const kind = random.below(depth > 4 || random.budget < 0 ? 14 : 24);
  if (kind < 4) return [{ text: random.pick(STATIC) }];
  if (kind === 4) {
    return [{ text: random.pick([`\\${start}`, `\\\\${tags.plain(names)}`, `\\${end}`, "[ ]"]) }];
  }
  if (kind === 5) return [{ xml: random.pick(["<w:r><w:br/></w:r>", "<w:r><w:tab/></w:r>"]) }];
  if (kind < 14) return [{ text: tags.value(names) }];
  if (kind < 18) {
    const { open, middles, close, inner } = tags.block(names);
    const body = (): Strip => (random.oneIn(9) ? [] : strip(pen, inner, depth + 1));
    const others = middles.flatMap((middle) => [{ text: middle }, ...body()]);
    return [{ text: open }, ...body(), ...others, { text: close }];
  }
  return special(pen, names, depth);
}

function special(pen: Pen, names: Names, depth: number): Strip {
  const { random, draft, focus } = pen;
  const within = (): Strip => strip(pen, names, depth + 2);
  if (!random.oneIn(3)) {
    if (focus === "notes") return note(pen, names, depth);
    if (focus === "comments") return comment(pen, names, depth);
    if (focus === "fields") return [{ xml: complexField(pen, names) }];
  }
  switch (random.below(15)) {
    case 0:
      return [{ xml: link(pen, names) }];
    case 1: {
      const id = draft.next();
      return [
        { xml: `<w:bookmarkStart w:id="${id}" w:name="mark${id % 7}"/>` },
        ...within(),
        { xml: `<w:bookmarkEnd w:id="${id}"/>` },
      ];
    }
    case 2:
    case 3:
      return [{ xml: complexField(pen, names) }];
    case 12:
      return [{ xml: simpleField(pen, names) }];
    case 4:
    case 5:
      return note(pen, names, depth);
    case 6:
      return comment(pen, names, depth);
    case 7:
      return [{ xml: shape(pen, names) }];
    case 8:
      return [{ xml: picture(pen, names) }];
    case 9: {
      const id = `<w:sdtPr><w:id w:val="${draft.next()}"/></w:sdtPr>`;
      return [
        {
          xml: `<w:sdt>${id}<w:sdtContent>${runs(pen, [{ text: "in " }, ...within()])}</w:sdtContent></w:sdt>`,
        },
      ];
    }
    case 10: {
      const math = text(`${pen.tags.plain(names)}+1<${pen.tags.plain(names)}`);
      return [{ xml: `<m:oMath><m:r><m:t>${math}</m:t></m:r></m:oMath>` }];
    }
    case 11:
      return [
        {
          xml: `<w:ins w:id="${draft.next()}" w:author="a">${runs(pen, [{ text: pen.tags.value(names) }])}</w:ins>`,
        },
      ];
    default:
      return [{ xml: box(pen, names, depth) }];
  }
}

function link(pen: Pen, names: Names): string {
  const { random, tags, draft, part } = pen;
  const content = runs(pen, [{ text: "go " }, { text: tags.value(names) }]);
  const plain = (): string => tags.plain(names);
  const target = random.pick([
    () => tags.address(names),
    () => `https://e.com/${plain()}?q=${plain()}`,
    () => "https://e.com/fixed?a=1&b=2",
    () => `mailto:${plain()}`,
  ])();
  if (random.oneIn(4))
    return `<w:hyperlink w:anchor="mark${random.below(7)}">${content}</w:hyperlink>`;
  return `<w:hyperlink r:id="${draft.link(part, target)}">${content}</w:hyperlink>`;
}

function instruction(pen: Pen, names: Names): string {
  const { random, tags } = pen;
  const plain = (): string => tags.plain(names);
  return random.pick([
    () => ` HYPERLINK "${tags.address(names)}" `,
    () => ` HYPERLINK "${tags.address(names)}${plain()}" \\o "${plain()}" `,
    () => ` HYPERLINK "mailto:${plain()}${plain()}" `,
    () => ` HYPERLINK ${tags.address(names)} `,
    () => ` HYPERLINK "https://e.com/?q=${plain()}&r=${plain()}" `,
    () => ` HYPERLINK \\o "${plain()}" "https://e.com/" `,
    () => ` QUOTE "${plain()}" `,
    () => ` REF mark${random.below(7)} \\h `,
    () => random.pick([" SEQ Figure ", " SEQ Figure \\* ROMAN ", " SEQ Figure \\r 3 "]),
    () => ' DATE \\@ "d.M.yyyy" ',
    () => ` XE "${plain()}" `,
  ])();
}

function complexField(pen: Pen, names: Names): string {
  const mark = (type: string): string => `<w:r><w:fldChar w:fldCharType="${type}"/></w:r>`;
  const code = instruction(pen, names);
  const cut = pen.random.oneIn(3) ? pen.random.below(code.length) : 0;
  const pieces = [code.slice(0, cut), code.slice(cut)].filter((each) => each !== "");
  const instructions = pieces.map(
    (each) => `<w:r><w:instrText xml:space="preserve">${text(each)}</w:instrText></w:r>`,
  );
  const result = runs(pen, [{ text: "shown" }]);
  return `${mark("begin")}${instructions.join("")}${mark("separate")}${result}${mark("end")}`;
}

function simpleField(pen: Pen, names: Names): string {
  const result = runs(pen, [{ text: "shown" }]);
  return `<w:fldSimple w:instr="${attribute(instruction(pen, names))}">${result}</w:fldSimple>`;
}

function note(pen: Pen, names: Names, depth: number): Strip {
  const { random, draft, part } = pen;
  if (part !== "document.xml") return [];
  const kind = random.pick(["footnote", "endnote"] as const);
  const notes = draft.notes[kind];
  const referTo = (id: number): Strip => [{ xml: `<w:r><w:${kind}Reference w:id="${id}"/></w:r>` }];
  // Id 0 is the continuation separator, which is not a note of the author.
  if (notes.length > 0 && random.oneIn(3)) return referTo(random.below(notes.length + 1));
  const id = notes.push("");
  const noted = { ...pen, part: `${kind}s.xml` };
  const content = random.oneIn(3)
    ? pen.container(noted, names, Math.max(depth, 3))
    : `<w:p>${runs(noted, [{ text: "note " }, { text: pen.tags.value(names) }])}</w:p>`;
  notes[id - 1] = `<w:${kind} w:id="${id}">${content}</w:${kind}>`;
  return referTo(id);
}

function comment(pen: Pen, names: Names, depth: number): Strip {
  const { random, draft, part } = pen;
  const within = strip(pen, names, depth + 2);
  if (!/^(?:document|footnotes|endnotes)\.xml$/.test(part)) return within;
  const id = draft.notes.comment.push("") - 1;
  const names14 = random.oneIn(2)
    ? ` w14:paraId="${(4096 + id).toString(16)}" w14:textId="77777777"`
    : "";
  const commenting = { ...pen, part: "comments.xml" };
  const { open, close, inner } = pen.tags.block(names);
  const shown: Strip = [{ text: open }, { text: pen.tags.value(inner) }, { text: close }];
  const content = random.oneIn(3)
    ? pen.container(commenting, names, Math.max(depth, 2))
    : `<w:p${names14}>${runs(commenting, random.oneIn(2) ? shown : [{ text: "see " }, ...shown])}</w:p><w:p/>`;
  draft.notes.comment[id] = `<w:comment w:id="${id}" w:author="a">${content}</w:comment>`;
  return [
    { xml: `<w:commentRangeStart w:id="${id}"/>` },
    ...within,
    { xml: `<w:commentRangeEnd w:id="${id}"/><w:r><w:commentReference w:id="${id}"/></w:r>` },
  ];
}

function inline(id: number, attributes: string, more: string, graphic: string): string {
  return `<w:r><w:drawing><wp:inline><wp:extent cx="914400" cy="457200"/><wp:docPr id="${id}" name="d"${attributes}>${more}</wp:docPr><a:graphic><a:graphicData uri="u">${graphic}</a:graphicData></a:graphic></wp:inline></w:drawing></w:r>`;
}

/** Returns a drawing with an alternative text, optionally a link. */
function shape(pen: Pen, names: Names): string {
  const { random, tags, draft, part } = pen;
  const described = ` descr="${attribute(`of ${tags.plain(names)}`)}"`;
  const title = random.oneIn(3) ? ` title="${attribute(tags.plain(names))}"` : "";
  const target = random.oneIn(2) ? tags.address(names) : "https://e.com/";
  const more = random.oneIn(3) ? `<a:hlinkClick r:id="${draft.link(part, target)}"/>` : "";
  const graphic = random.oneIn(3)
    ? `<pic:pic><pic:blipFill><a:blip r:embed="${FIXED_PICTURE_ID}"/></pic:blipFill></pic:pic>`
    : "<wps:wsp><wps:bodyPr/></wps:wsp>";
  return inline(draft.next(), described + title, more, graphic);
}

function pic(alternative: string, x = 0): string {
  return `<pic:pic><pic:nvPicPr><pic:cNvPr id="9" name="p"${alternative}/><pic:cNvPicPr/></pic:nvPicPr><pic:blipFill><a:blip r:embed="${PICTURE_ID}"/><a:stretch/></pic:blipFill><pic:spPr><a:xfrm><a:off x="${x}" y="100"/><a:ext cx="1000" cy="1000"/></a:xfrm></pic:spPr></pic:pic>`;
}

/** Returns a placeholder picture, alone or in a group, with or without more text. */
export function picture(pen: Pen, names: Names): string {
  const { random, tags, draft } = pen;
  const lines = random.oneIn(4) ? `\nand ${tags.plain(names)}` : "";
  const alternative = ` descr="${attribute(tags.picture(names) + lines).replaceAll("\n", "&#10;")}"`;
  if (!random.oneIn(3)) return inline(draft.next(), alternative, "", pic(""));
  const frame = `<wpg:cNvGrpSpPr/><wpg:grpSpPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="2000" cy="1000"/><a:chOff x="0" y="0"/><a:chExt cx="2000" cy="1000"/></a:xfrm></wpg:grpSpPr>`;
  const group = `<wpg:wgp>${frame}${pic(alternative)}${pic("", 1000)}</wpg:wgp>`;
  return inline(draft.next(), "", "", group);
}

/** Returns a text box, in the notation of new and of old programs. */
function box(pen: Pen, names: Names, depth: number): string {
  const content = `<w:txbxContent>${pen.container(pen, names, depth + 3)}</w:txbxContent>`;
  const drawing = `<w:drawing><wp:inline><wp:extent cx="1" cy="1"/><wp:docPr id="${pen.draft.next()}" name="b"/><a:graphic><a:graphicData><wps:wsp><wps:txbx>${content}</wps:txbx><wps:bodyPr/></wps:wsp></a:graphicData></a:graphic></wp:inline></w:drawing>`;
  const old = pen.random.oneIn(2)
    ? ""
    : `<mc:Fallback><w:pict><v:shape><v:textbox>${content}</v:textbox></v:shape></w:pict></mc:Fallback>`;
  return `<w:r><mc:AlternateContent><mc:Choice Requires="wps">${drawing}</mc:Choice>${old}</mc:AlternateContent></w:r>`;
}
