/** The location of text in a part. Known namespaces have Word's prefixes (`w:`, …); other names are as written. */
export interface TextPlace {
  /** The root of the part. */
  readonly root: string;
  readonly element: string;
  /** Null for the text of the element itself. */
  readonly attribute: string | null;
}

/** Names for elements, attributes of an element (`element@attribute`) and attributes of any element (`@attribute`). */
const PLACES: ReadonlyMap<string, string> = new Map([
  ["w:lvlText", "the text of a list number"],
  ["w:docVar", "a document variable"],
  ["@w:author", "the author of a comment or a change"],
  ["@w:initials", "the initials of an author"],
  ["@w15:author", "the author of a comment or a change"],
  ["w:alias", "the title of a content control"],
  ["w:tag", "the tag property of a content control"],
  ["w:dateFormat", "the format of a date control"],
  ["w:hyperlink@w:anchor", "the bookmark that a link leads to"],
  ["w:hyperlink@w:docLocation", "the location that a link leads to"],
  ["w:hyperlink@w:tgtFrame", "the frame that a link leads to"],
  ["w:bookmarkStart@w:name", "the name of a bookmark"],
  ["w:format", "the format of a form field"],
  ["w:ffData", "the name of a form field"],
  ["@href", "the address of a shape"],
  ["@name", "the name of an object"],
  ["property@name", "the name of a document property"],
  ["@o:title", "the file name of a picture"],
  ["c:f", "a formula in a chart"],
  ["cx:f", "a formula in a chart"],
  ["c:formatCode", "a number format in a chart"],
  ["@formatCode", "a number format in a chart"],
  ["c:v", "a number in a chart"],
  ["cx:pt", "a number in a chart"],
  ["w:style@w:styleId", "the id of a style"],
]);

/** Names for all other places in a part, by the root element of the part. */
const PARTS: ReadonlyMap<string, string> = new Map([
  ["w:glossaryDocument", "a building block (AutoText, or the prompt of a content control)"],
  ["svg", "an SVG picture"],
  ["svg:svg", "an SVG picture"],
  ["w:styles", "a style"],
  ["w:settings", "the document settings"],
  ["c:chartSpace", "a chart"],
  ["cx:chartSpace", "a chart"],
  ["c:userShapes", "a chart"],
  ["dgm:dataModel", "SmartArt"],
  ["dsp:drawing", "SmartArt"],
  ["cp:coreProperties", "a document property"],
  ["Properties", "a document property"],
]);

/** Whether the text is the name of a bookmark, in the bookmark or in a link to it. */
export function namesBookmark({ element, attribute }: TextPlace): boolean {
  const name = `${element}@${attribute}`;
  return name === "w:bookmarkStart@w:name" || name === "w:hyperlink@w:anchor";
}

/** Returns the name of a place, for a sentence. */
export function placeWords({ root, element, attribute }: TextPlace): string {
  const known =
    PLACES.get(attribute === null ? element : `${element}@${attribute}`) ??
    (attribute === null ? undefined : (PLACES.get(`@${attribute}`) ?? PLACES.get(element))) ??
    PARTS.get(root);
  if (known !== undefined) return known;
  return attribute === null
    ? `the element ${element}`
    : `the attribute ${attribute} of the element ${element}`;
}
