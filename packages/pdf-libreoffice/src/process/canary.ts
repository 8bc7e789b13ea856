import { openDocx } from "@quire/core/docx";

/** A docx with the one word "Ready". */
export const CANARY: Uint8Array = Buffer.from(
  "UEsDBBQAAAAIAAAAIQB0JJxTuwAAAD4BAAATAAAAW0NvbnRlbnRfVHlwZXNdLnhtbJWQuQ7CMAyGX6XKiqgRAwNq" +
    "uwArMPACVuq2EbkUuxxvT8o1sDHa//FZrk73SFzcnPVcq0EkrgFYD+SQyxDJZ6ULyaHkMfUQUZ+xJ1guFivQwQt5" +
    "mcvUoZpqSx2OVordLa/ZBF+rRJZVsXkZJ1atMEZrNErW4eLbH8r8TShz8unhwUSeZYOCpjpcKCXTUnHEJHt0uQ6u" +
    "IbXQBj26jCgn41+80HVG0zc/tcUUNDEb3ztbfhWHxn/ugOfbmgdQSwMEFAAAAAgAAAAhAEsevveHAAAA8AAAAAsA" +
    "AABfcmVscy8ucmVsc43POw4CIRAG4KsQDrCzWlgYoLKxNXsBAsMjLo8MGPX2UlisxsJy5p98f0ZccNU9ltxCrI09" +
    "0pqb5KH3egRoJmDSbSoV80hcoaT7GMlD1eaqPcJ+ng9AW4MrsTXZ2UpOO86WZ8V/5OJcNHgq5pYw9x8FXxdD1uSx" +
    "S34vZMG+19NgOSgBHw+qF1BLAwQUAAAACAAAACEAdiJS83oAAACiAAAAEQAAAHdvcmQvZG9jdW1lbnQueG1sRY5B" +
    "DsIwDAS/gvoAXHHgEIW8AfGDkJi2Uh1HtlHo72nKgcvYu96V7JvLnN6ExU4fWou6dhtms+oANM1IUc9csey3FwtF" +
    "26VM0FhyFU6oupSJVriM4xUoLmUIvrkn563P2iEdFh4Y8+ahr51y8AgoJrsLHMavCf+vwhdQSwECFAMUAAAACAAA" +
    "ACEAdCScU7sAAAA+AQAAEwAAAAAAAAAAAAAAgAEAAAAAW0NvbnRlbnRfVHlwZXNdLnhtbFBLAQIUAxQAAAAIAAAA" +
    "IQBLHr73hwAAAPAAAAALAAAAAAAAAAAAAACAAewAAABfcmVscy8ucmVsc1BLAQIUAxQAAAAIAAAAIQB2IlLzegAA" +
    "AKIAAAARAAAAAAAAAAAAAACAAZwBAAB3b3JkL2RvY3VtZW50LnhtbFBLBQYAAAAAAwADALkAAABFAgAAAAA=",
  "base64",
);

/**
 * With fewer pages LibreOffice would lay out the first long document a little differently from the same one later:
 * lines that are justified, above all of Arabic.
 */
const PAGES = 60;
const PAGE = '<w:p><w:r><w:br w:type="page"/></w:r></w:p>';

/** The same with many pages: what a lane converts before it says that it is ready. */
export function longCanary(): Uint8Array {
  const docx = openDocx(CANARY, { rendered: true });
  const text = docx
    .readText(docx.mainPart)
    .replace("</w:body>", `${PAGE.repeat(PAGES - 1)}</w:body>`);
  return docx.write(new Map([[docx.mainPart, text]]));
}
