import type { AddedPart } from "./add-parts.ts";

const SCHEMAS = "http://schemas.openxmlformats.org";
const A = `xmlns:a="${SCHEMAS}/drawingml/2006/main"`;
const C = `xmlns:c="${SCHEMAS}/drawingml/2006/chart"`;
const DGM = `xmlns:dgm="${SCHEMAS}/drawingml/2006/diagram"`;
const DSP = 'xmlns:dsp="http://schemas.microsoft.com/office/drawing/2008/diagram"';
const WP = `xmlns:wp="${SCHEMAS}/drawingml/2006/wordprocessingDrawing"`;
const R = `xmlns:r="${SCHEMAS}/officeDocument/2006/relationships"`;
const DRAWING = "application/vnd.openxmlformats-officedocument.drawingml";

/** Returns a paragraph with a chart or SmartArt. `xml` is the element that refers to it. */
export function figure(xml: string): string {
  return `<w:p><w:r><w:drawing><wp:inline ${WP}><wp:docPr id="1" name="f"/><a:graphic ${A}><a:graphicData uri="u">${xml}</a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>`;
}

/** A paragraph with the chart of this relationship. */
export const CHART = figure(`<c:chart ${C} r:id="rIdChart"/>`);

/** A paragraph with the SmartArt of these relationships. */
export const SMART_ART = figure(
  `<dgm:relIds ${DGM} r:dm="rIdData" r:lo="rIdNone" r:qs="rIdNone" r:cs="rIdNone"/>`,
);

/** Returns a chart of the main part. */
export function chart(xml: string): AddedPart {
  return {
    name: "word/charts/chart1.xml",
    xml: `<c:chartSpace ${C} ${A} ${R}><c:chart>${xml}</c:chart></c:chartSpace>`,
    type: `${DRAWING}.chart+xml`,
    kind: "chart",
    id: "rIdChart",
  };
}

/** Returns the parts of SmartArt with text, given as the runs of its paragraph; `descr` is its alternative text. */
export function smartArt(text: string, descr = ""): AddedPart[] {
  const alt = `<a:extLst><a:ext uri="{1}"><dgm14:cNvPr xmlns:dgm14="http://schemas.microsoft.com/office/drawing/2010/diagram" id="0" name="" descr="${descr}"/></a:ext></a:extLst>`;
  return [
    {
      name: "word/diagrams/data1.xml",
      xml: `<dgm:dataModel ${DGM} ${A}><dgm:ptLst><dgm:pt modelId="{F45BD5CF-C0D4-4F78-ACBF-18CF124223E7}"><dgm:t><a:bodyPr/><a:p>${text}</a:p></dgm:t>${alt}</dgm:pt></dgm:ptLst><dgm:extLst><a:ext uri="{2}"><dsp:dataModelExt ${DSP} relId="rIdDrawing"/></a:ext></dgm:extLst></dgm:dataModel>`,
      type: `${DRAWING}.diagramdata+xml`,
      kind: "diagramData",
      id: "rIdData",
    },
    {
      name: "word/diagrams/drawing1.xml",
      xml: `<dsp:drawing ${DGM} ${DSP} ${A}><dsp:spTree><dsp:sp modelId="{8B732ED6-D4F2-4872-85F2-4AA038F26E67}"><dsp:txBody><a:p>${text}</a:p></dsp:txBody></dsp:sp></dsp:spTree></dsp:drawing>`,
      type: "application/vnd.ms-office.drawingml.diagramdrawing+xml",
      kind: "http://schemas.microsoft.com/office/2007/relationships/diagramDrawing",
      id: "rIdDrawing",
    },
  ];
}
