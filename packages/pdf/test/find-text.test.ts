import { degrees, rgb, StandardFonts } from "pdf-lib";
import { expect, test } from "vitest";
import { findText } from "../src/index.ts";
import { blank, linesPdf, rawPdf, rawStream } from "./support/pdf.ts";

/** Returns a PDF with one page that has this content stream and the font Helvetica as `F`. */
function page(content: string, more = "", resources = ""): Buffer {
  return rawPdf([
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 400 300] /Contents 4 0 R /Resources << /Font << /F 5 0 R >> ${resources} >> ${more} >>`,
    rawStream("", content),
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
    rawStream(
      "/Type /XObject /Subtype /Form /BBox [0 0 400 300] /Matrix [1 0 0 1 100 0]",
      "BT /F 10 Tf 5 7 Td (/in/) Tj ET",
    ),
  ]);
}

test("an anchor is found with its page, the start of its line, its width and its size", async () => {
  const document = await blank();
  const font = await document.embedFont(StandardFonts.Helvetica);
  document.addPage([400, 300]);
  const second = document.addPage([400, 300]);
  second.drawText("Signature: /sig1/ (here)", { x: 50, y: 80, size: 2, font, color: rgb(1, 1, 1) });
  const found = await findText(await document.save(), ["/sig1/", "/sig2/"]);
  const before = font.widthOfTextAtSize("Signature: ", 2);
  expect(found).toHaveLength(1);
  expect(found[0]).toMatchObject({
    sentinel: "/sig1/",
    page: 2,
    y: 80,
    fontSize: 2,
    height: 2,
    angle: 0,
  });
  // The measured text has kerning, but the drawn text does not.
  expect(found[0]?.x).toBeCloseTo(50 + before, 0);
  expect(found[0]?.width).toBeCloseTo(font.widthOfTextAtSize("/sig1/", 2), 1);
});

test("an anchor is found if it is split into adjacent pieces, but not if its pieces are apart", async () => {
  const split =
    "BT /F 10 Tf 50 80 Td (/s) Tj [(ig) -20 (1)] TJ ET BT /F 10 Tf 1 0 0 1 71.44 80 Tm (/) Tj ET";
  expect(await findText(page(split), ["/sig1/"])).toMatchObject([{ x: 50, y: 80 }]);
  const apart =
    "BT /F 10 Tf 50 80 Td (/si) Tj 0 -20 Td (g1/) Tj ET BT /F 10 Tf 200 80 Td (/sig) Tj 60 0 Td (1/) Tj ET";
  expect(await findText(page(apart), ["/sig1/"])).toEqual([]);
});

test("spacing, scaling, rise, leading and nested drawings are followed", async () => {
  const content = [
    "q 2 0 0 2 10 20 cm BT /F 5 Tf 1 Tc 50 Tz 10 TL 3 Ts 20 30 Td (a) Tj T* (/x/) Tj ET Q",
    "q 1 0 0 1 10 10 cm /D Do Q",
  ].join("\n");
  const found = await findText(page(content, "", "/XObject << /D 6 0 R >>"), ["/x/", "/in/"]);
  expect(found[0]).toMatchObject({ sentinel: "/x/", x: 50, y: 66, fontSize: 10 });
  expect(found[0]?.width).toBeCloseTo((2 * 0.278 + 0.5) * 10 * 0.5 + 2 * 2 * 0.5, 2);
  expect(found[1]).toMatchObject({ sentinel: "/in/", x: 115, y: 17, fontSize: 10 });
});

test("positions on rotated and cropped pages are relative to the visible page", async () => {
  const at = async (turn: number, crop: boolean) =>
    (
      await findText(
        await linesPdf(["/sig/"], (each) => {
          each.setRotation(degrees(turn));
          if (crop) each.setCropBox(20, 30, 300, 250);
        }),
        ["/sig/"],
      )
    )[0];
  expect(await at(0, false)).toMatchObject({ x: 50, y: 200, angle: 0 });
  expect(await at(0, true)).toMatchObject({ x: 30, y: 170 });
  expect(await at(90, false)).toMatchObject({ x: 200, y: 350, angle: -90 });
  expect(await at(180, true)).toMatchObject({ x: 270, y: 80, angle: 180 });
  expect(await at(270, true)).toMatchObject({ x: 80, y: 30, angle: 90 });
});

test("each occurrence is found once, and only the longest of overlapping anchors", async () => {
  const shadow = "BT /F 10 Tf 50 80 Td (/s1 /s12) Tj ET BT /F 10 Tf 50.3 80.3 Td (/s1 /s12) Tj ET";
  const found = await findText(page(shadow), ["/s1", "/s12"]);
  expect(found.map(({ sentinel }) => sentinel)).toEqual(["/s1", "/s12"]);
});

test("an invalid anchor and a file that is not a PDF are rejected", async () => {
  const pdf = await linesPdf(["x"]);
  for (const wrong of [[""], ["a b"], ["x".repeat(201)]]) {
    await expect(findText(pdf, wrong)).rejects.toMatchObject({ code: "invalid_request" });
  }
  expect(await findText(pdf, [])).toEqual([]);
  await expect(findText(Buffer.from("no"), ["a"])).rejects.toMatchObject({
    code: "invalid_request",
  });
  await expect(findText(Buffer.from("%PDF-1.7 no"), ["a"])).rejects.toThrow("damaged");
  const locked = rawPdf(
    ["<< /Type /Catalog >>"],
    "/ID [<00> <00>] /Encrypt << /Filter /Standard /V 1 /R 2 /O (x) /U (x) /P 0 >>",
  );
  await expect(findText(locked, ["a"])).rejects.toMatchObject({ code: "invalid_request" });
});
