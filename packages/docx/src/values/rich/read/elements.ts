function names(list: string): ReadonlySet<string> {
  return new Set(list.split(" "));
}

/** Elements that begin and end a block. */
export const BLOCKS = names(
  "address article aside blockquote body caption center dd details dialog dir div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main menu nav ol optgroup option p pre search section summary table tbody td tfoot th thead tr ul",
);

/** Elements that become Word content. A value with a complete one of them counts as HTML. */
export const SHOWN = names(
  "a abbr acronym address article aside b bdi bdo big blockquote br caption center cite code col colgroup dd del details dfn dir div dl dt em figcaption figure font footer h1 h2 h3 h4 h5 h6 header hgroup hr i img ins kbd li main mark menu nav ol p pre q s samp section small span strike strong sub summary sup table tbody td tfoot th thead time tr tt u ul var wbr",
);

/** Elements that do not affect the look of their content, so that nothing is lost if they are removed. */
const PLAIN = names(
  "body data head html hgroup label nobr rb rp search fieldset legend base link meta basefont picture source",
);

/**
 * Whether an element has no effect on the look of its text, such as the elements with which Word marks paragraphs,
 * places and names.
 */
export function isPlainElement(name: string): boolean {
  return PLAIN.has(name) || name === "o:p" || name.startsWith("st1:");
}

/** Elements whose content is not meant for readers. */
export const DROPPED = names(
  "area audio canvas embed frame frameset iframe map noembed noframes object param script style template title track video datalist",
);

/** Elements whose content the HTML parser reads literally, up to their end tag. */
export const RAW = names("iframe noembed noframes script style textarea title xmp");

/** Elements without content. */
export const VOID = names("br hr img");

/** All other current and former HTML elements. They are reported, whereas an unknown name may not be a tag at all. */
export const OTHER = names(
  "applet bgsound blink button command content dialog element fencedframe form image input isindex keygen listing marquee math menuitem meter multicol nextid noscript optgroup option output plaintext portal progress rbc rt rtc ruby select selectedcontent shadow slot spacer svg textarea xmp",
);

/** Whether HTML defines the element. */
export function isHtmlElement(name: string): boolean {
  return SHOWN.has(name) || PLAIN.has(name) || DROPPED.has(name) || OTHER.has(name);
}

/** Attributes without a value. */
export const BOOLEAN_ATTRIBUTES = names(
  "allowfullscreen async autofocus autoplay checked compact contenteditable controls default defer disabled download draggable formnovalidate hidden inert ismap itemscope loop multiple muted noresize noshade novalidate nowrap open playsinline readonly required reversed selected spellcheck",
);
