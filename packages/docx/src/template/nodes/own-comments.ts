/** The author of the comments that `annotateTemplate` writes. */
export const OWN_AUTHOR_NAME = "Quire";

/** Attributes in the start tag of each comment that `annotateTemplate` writes. They identify these comments. */
export const OWN_AUTHOR = `w:author="${OWN_AUTHOR_NAME}" w:initials="Q"`;

/**
 * The name that replaces that of the text elements in Quire's own comments while a part is lexed, so that no tags are
 * found in them.
 */
export const HELD_TEXT = "w:heldText";

const COMMENTS = /<w:comment( [^>]*[^>/])>.*?<\/w:comment>/gs;

/** Whether `annotateTemplate` wrote a comment, judging by the attributes of its canonical start tag. */
export function isOwnComment(attributes: string): boolean {
  return attributes.includes(' w:author="Quire"') && attributes.includes(' w:initials="Q"');
}

/** Hides the text of comments that `annotateTemplate` wrote, because it quotes tags. The part is canonical XML. */
export function holdOwnComments(xml: string): string {
  return overOwnComments(xml, (comment) =>
    comment.replace(/<(\/?)w:t(?=[ />])/g, (_, slash) => `<${slash}${HELD_TEXT}`),
  );
}

/**
 * Returns the part without the comments that `annotateTemplate` wrote, because these comments quote tags. The part is
 * canonical XML.
 */
export function withoutOwnComments(xml: string): string {
  return overOwnComments(xml, () => "");
}

function overOwnComments(xml: string, change: (comment: string) => string): string {
  if (!xml.includes(' w:author="Quire"')) return xml;
  return xml.replace(COMMENTS, (comment, attributes: string) =>
    isOwnComment(attributes) ? change(comment) : comment,
  );
}
