/**
 * The exports of pdf-lib that this package uses. pdf-lib is a CommonJS module, and Node 22.13 does not find its named
 * exports.
 */
import type * as PdfLib from "pdf-lib";
import pdfLib from "pdf-lib";

export const {
  PDFArray,
  PDFBool,
  PDFCatalog,
  PDFDict,
  PDFHexString,
  PDFName,
  PDFNull,
  PDFNumber,
  PDFObjectStreamParser,
  PDFPageLeaf,
  PDFPageTree,
  PDFParser,
  PDFRawStream,
  PDFRef,
  PDFStream,
  PDFStreamWriter,
  PDFString,
  PDFWriter,
  StandardFontEmbedder,
} = pdfLib;

export type PDFArray = PdfLib.PDFArray;
export type PDFBool = PdfLib.PDFBool;
export type PDFCatalog = PdfLib.PDFCatalog;
export type PDFContext = PdfLib.PDFContext;
export type PDFDict = PdfLib.PDFDict;
export type PDFHexString = PdfLib.PDFHexString;
export type PDFName = PdfLib.PDFName;
export type PDFNumber = PdfLib.PDFNumber;
export type PDFObject = PdfLib.PDFObject;
export type PDFPageLeaf = PdfLib.PDFPageLeaf;
export type PDFPageTree = PdfLib.PDFPageTree;
export type PDFRawStream = PdfLib.PDFRawStream;
export type PDFRef = PdfLib.PDFRef;
export type PDFStream = PdfLib.PDFStream;
export type PDFString = PdfLib.PDFString;
