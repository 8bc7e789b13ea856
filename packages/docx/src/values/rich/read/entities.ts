const LETTERS =
  "[A-Za-z](?:uml|acute|grave|circ|tilde|cedil|caron|slash|ring|elig|ogon)|szlig|eth|ETH|thorn|THORN";
const SIGNS =
  "lt|gt|amp|quot|apos|nbsp|shy|ensp|emsp|thinsp|zwn?j|ndash|mdash|hellip|bull|middot|[lr](?:aquo|squo|dquo|saquo)|sbquo|bdquo|euro|pound|yen|cent|copy|reg|trade|sect|para|deg|micro|plusmn|times|divide|minus|permil|frac\\d\\d|sup\\d|ord[fm]|iexcl|iquest|[lrudh]arr|ne|le|ge";
const ENTITY = new RegExp(`&(?:#\\d{1,7}|#[xX][\\da-fA-F]{1,6}|${LETTERS}|${SIGNS});`);

/** Whether text has characters that are written as in HTML, such as `&amp;` and `&#39;`. */
export function hasEntities(text: string): boolean {
  return text.includes("&") && ENTITY.test(text);
}

/** Whether text has elements whose signs are written as entities, such as `&lt;b&gt;`. */
export function hasEscapedElements(text: string): boolean {
  return /&lt;\/?[A-Za-z][^&<>]{0,40}&gt;/.test(text);
}
