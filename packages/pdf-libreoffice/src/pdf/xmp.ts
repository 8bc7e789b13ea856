/** How the object with a PDF's XMP begins. LibreOffice never compresses it. */
const OBJECT = /\/Type\/Metadata\/Subtype\/XML[^>]{0,40}>>\s{0,4}stream\s{1,4}$/;
const OBJECT_LENGTH = 120;

/** The dates in XMP. LibreOffice 25.2 and later also write `dc:date`, which may be the current time. */
export const XMP_DATE =
  /<(?:xmp:(?:CreateDate|ModifyDate|MetadataDate)|dc:date>\s*<rdf:Seq>\s*<rdf:li)>([^<]{4,40})<\//g;

/** Where the XMP of a PDF begins and ends; null if it does not have any. Ignores the XMP of pictures. */
export function placeOfXmp(pdf: Buffer): { readonly begin: number; readonly end: number } | null {
  let begin = pdf.lastIndexOf("<?xpacket begin");
  while (begin > 0) {
    const before = pdf.toString("latin1", Math.max(0, begin - OBJECT_LENGTH), begin);
    const end = pdf.indexOf("<?xpacket end", begin);
    if (OBJECT.test(before) && end > begin) return { begin, end };
    begin = pdf.lastIndexOf("<?xpacket begin", begin - 1);
  }
  return null;
}
