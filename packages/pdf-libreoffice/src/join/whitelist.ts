/**
 * The elements allowed in joined documents. They are known not to be affected by the documents around them. Everything
 * else is refused.
 */

const words = (list: string): readonly string[] => list.split(/\s+/).filter((word) => word !== "");

const RANGES = "w:bookmarkStart w:bookmarkEnd w:proofErr";

/** The allowed children of each element, without the blocks of properties below. */
export const CHILDREN: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries({
    "w:body": `w:p w:tbl w:sdt ${RANGES}`,
    "w:hdr": `w:p w:tbl w:sdt ${RANGES}`,
    "w:ftr": `w:p w:tbl w:sdt ${RANGES}`,
    "w:sdt": "w:sdtPr w:sdtEndPr w:sdtContent",
    "w:sdtContent": `w:p w:tbl ${RANGES}`,
    "w:tbl": `w:tblPr w:tblGrid w:tr ${RANGES}`,
    "w:tr": `w:tblPrEx w:trPr w:tc ${RANGES}`,
    "w:tc": `w:tcPr w:p w:tbl ${RANGES}`,
    "w:p": `w:pPr w:r w:hyperlink w:fldSimple ${RANGES}`,
    "w:hyperlink": `w:r ${RANGES}`,
    "w:fldSimple": "w:r",
    "w:r": `w:rPr w:t w:tab w:br w:cr w:noBreakHyphen w:softHyphen w:sym w:fldChar w:instrText w:drawing
      w:lastRenderedPageBreak`,
    "w:drawing": "wp:inline wp:anchor",
    "wp:inline": "wp:extent wp:effectExtent wp:docPr wp:cNvGraphicFramePr a:graphic",
    "wp:anchor": `wp:simplePos wp:positionH wp:positionV wp:extent wp:effectExtent wp:wrapNone wp:wrapSquare
      wp:wrapTopAndBottom wp:docPr wp:cNvGraphicFramePr a:graphic wp14:sizeRelH wp14:sizeRelV`,
    "wp:positionH": "wp:align wp:posOffset",
    "wp:positionV": "wp:align wp:posOffset",
    "wp14:sizeRelH": "wp14:pctWidth",
    "wp14:sizeRelV": "wp14:pctHeight",
    // No links: if two pictures have the same name, LibreOffice renames one, and its link shows the name.
    "wp:docPr": "a:extLst",
    "wp:cNvGraphicFramePr": "a:graphicFrameLocks",
    "a:graphic": "a:graphicData",
    "a:graphicData": "pic:pic",
    "pic:pic": "pic:nvPicPr pic:blipFill pic:spPr",
    "pic:nvPicPr": "pic:cNvPr pic:cNvPicPr",
    "pic:cNvPr": "a:extLst",
    "pic:cNvPicPr": "a:picLocks",
    "pic:blipFill": "a:blip a:srcRect a:stretch",
    "a:blip": "a:extLst",
    "a:stretch": "a:fillRect",
    "a:extLst": "a:ext",
    "a:ext": "a14:useLocalDpi a16:creationId",
    "pic:spPr": "a:xfrm a:prstGeom a:noFill a:ln",
    "a:ln": "a:noFill",
    "a:xfrm": "a:off a:ext",
    "a:prstGeom": "a:avLst",
  }).map(([parent, children]) => [parent, new Set(words(children))]),
);

const BORDERS =
  "w:top w:left w:start w:bottom w:right w:end w:insideH w:insideV w:between w:bar w:tl2br w:tr2bl";

const RUN = `w:rStyle w:rFonts w:b w:bCs w:i w:iCs w:caps w:smallCaps w:strike w:dstrike w:outline w:shadow
  w:emboss w:imprint w:noProof w:snapToGrid w:vanish w:webHidden w:color w:spacing w:w w:kern w:position w:sz
  w:szCs w:highlight w:u w:effect w:bdr w:shd w:vertAlign w:rtl w:cs w:em w:lang w14:ligatures w14:numForm
  w14:numSpacing w14:cntxtAlts`;

/** The elements allowed anywhere in a block of properties. */
export const PROPERTIES: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries({
    "w:rPr": RUN,
    "w:pPr": `w:pStyle w:keepNext w:keepLines w:pageBreakBefore w:widowControl w:numPr w:ilvl w:numId
      w:suppressLineNumbers w:pBdr w:shd w:tabs w:tab w:suppressAutoHyphens w:kinsoku w:wordWrap
      w:overflowPunct w:topLinePunct w:autoSpaceDE w:autoSpaceDN w:bidi w:adjustRightInd w:snapToGrid
      w:spacing w:ind w:contextualSpacing w:jc w:textAlignment w:outlineLvl w:divId w:cnfStyle w:rPr
      ${BORDERS} ${RUN}`,
    "w:tblPr": `w:tblStyle w:bidiVisual w:tblStyleRowBandSize w:tblStyleColBandSize w:tblW w:jc
      w:tblCellSpacing w:tblInd w:tblBorders w:shd w:tblLayout w:tblCellMar w:tblLook w:tblCaption
      w:tblDescription ${BORDERS}`,
    "w:tblPrEx": `w:tblW w:jc w:tblCellSpacing w:tblInd w:tblBorders w:shd w:tblLayout w:tblCellMar w:tblLook
      ${BORDERS}`,
    "w:tblGrid": "w:gridCol",
    "w:trPr": `w:cnfStyle w:divId w:gridBefore w:gridAfter w:wBefore w:wAfter w:cantSplit w:trHeight
      w:tblHeader w:tblCellSpacing w:jc`,
    "w:tcPr": `w:cnfStyle w:tcW w:gridSpan w:hMerge w:vMerge w:tcBorders w:shd w:noWrap w:tcMar w:tcFitText
      w:vAlign w:hideMark ${BORDERS}`,
    // Building blocks from a gallery, such as page numbers. They are not controls to fill in.
    "w:sdtPr": `w:id w:docPartObj w:docPartGallery w:docPartUnique w:rPr ${RUN}`,
    "w:sdtEndPr": `w:rPr ${RUN}`,
    "w:sectPr": `w:headerReference w:footerReference w:footnotePr w:endnotePr w:pos w:numFmt w:numStart
      w:numRestart w:textDirection w:type w:pgSz w:pgMar w:paperSrc w:pgNumType w:cols
      w:formProt w:titlePg w:docGrid w:noEndnote`,
  }).map(([block, children]) => [block, new Set(words(children))]),
);

/** Types of pictures that are drawn pixel by pixel, independent of their surroundings. */
export const PICTURES: ReadonlySet<string> = new Set(["image/png", "image/jpeg", "image/gif"]);

/**
 * Settings that must be off, because otherwise pages would depend on the number of preceding pages, or the text would
 * be locked.
 */
const REFUSED_SETTINGS = words(
  `w:mirrorMargins w:gutterAtTop w:evenAndOddHeaders w:bookFoldRevPrinting w:bookFoldPrinting
  w:bookFoldPrintingSheets w:documentProtection w:writeProtection w:linkStyles w:mailMerge w:trackRevisions
  w:printTwoOnOne w:printFormsData`,
);

/** Settings that have the same effect for any number of documents. */
const FREE_SETTINGS = words(
  `w:view w:zoom w:removePersonalInformation w:removeDateAndTime w:doNotDisplayPageBoundaries
  w:embedTrueTypeFonts w:embedSystemFonts w:saveSubsetFonts w:saveFormsData w:alignBordersAndEdges
  w:bordersDoNotSurroundHeader w:bordersDoNotSurroundFooter w:hideSpellingErrors w:hideGrammaticalErrors
  w:activeWritingStyle w:proofState w:attachedTemplate w:stylePaneFormatFilter w:stylePaneSortMethod
  w:documentType w:revisionView w:doNotTrackMoves w:doNotTrackFormatting w:autoFormatOverride
  w:styleLockTheme w:styleLockQFSet w:defaultTabStop w:autoHyphenation w:consecutiveHyphenLimit w:hyphenationZone
  w:doNotHyphenateCaps w:showEnvelope w:summaryLength w:clickAndTypeStyle w:defaultTableStyle
  w:drawingGridHorizontalSpacing w:drawingGridVerticalSpacing w:displayHorizontalDrawingGridEvery
  w:displayVerticalDrawingGridEvery w:doNotUseMarginsForDrawingGridOrigin w:drawingGridHorizontalOrigin
  w:drawingGridVerticalOrigin w:doNotShadeFormData w:noPunctuationKerning w:characterSpacingControl
  w:strictFirstAndLastChars w:noLineBreaksAfter w:noLineBreaksBefore w:savePreviewPicture
  w:doNotValidateAgainstSchema w:saveInvalidXml w:ignoreMixedContent w:alwaysShowPlaceholderText
  w:doNotDemarcateInvalidXml w:saveXmlDataOnly w:useXSLTWhenSaving w:saveThroughXslt w:showXMLTags
  w:alwaysMergeEmptyNamespace w:updateFields w:hdrShapeDefaults w:footnotePr w:endnotePr w:compat w:docVars
  w:displayBackgroundShape w:rsids m:mathPr w:attachedSchema w:themeFontLang w:clrSchemeMapping w:doNotIncludeSubdocsInStats
  w:doNotAutoCompressPictures w:forceUpgrade w:captions w:readModeInkLockDown w:smartTagType
  w:shapeDefaults w:doNotEmbedSmartTags w:decimalSymbol w:listSeparator`,
);

/** Whether a setting is allowed in joined documents. Settings of later versions of Word do not change pages. */
export function isFreeSetting(name: string, on: boolean): boolean {
  if (REFUSED.has(name)) return !on;
  return FREE.has(name) || /^(?:w14|w15|w16\w*|sl):/.test(name);
}

const REFUSED: ReadonlySet<string> = new Set(REFUSED_SETTINGS);
const FREE: ReadonlySet<string> = new Set(FREE_SETTINGS);
