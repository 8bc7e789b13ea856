import { hash } from "node:crypto";
import type { PdfFile } from "../../pdf/pdf-file.ts";
import {
  PdfName,
  PdfOperator,
  PdfRef,
  PdfText,
  type PdfValue,
  unusual,
} from "../../pdf/pdf-syntax.ts";

const DEEPEST = 30;

/**
 * Returns a canonical string for a value, independent of how the value is written. Includes referenced values, and a
 * hash of the content of streams.
 */
export function canonical(file: PdfFile, value: PdfValue | undefined, depth = 0): string {
  if (depth > DEEPEST) unusual("values that are nested too deeply");
  const of = (each: PdfValue | undefined): string => canonical(file, each, depth + 1);
  if (value instanceof PdfRef) {
    const object = file.object(value.id);
    if (object.stream === null) return of(object.value);
    const dict = object.value instanceof Map ? object.value : new Map<string, PdfValue>();
    const facts = new Map([...dict].filter(([name]) => name !== "Length"));
    return `${of(facts)} stream ${hash("sha256", object.stream, "hex")}`;
  }
  if (value instanceof Map) {
    const entries = [...value].map(([name, each]) => `/${name} ${of(each)}`);
    return `<<${entries.toSorted().join(" ")}>>`;
  }
  if (Array.isArray(value)) return `[${value.map(of).join(" ")}]`;
  if (value instanceof PdfName) return `/${value.name}`;
  if (value instanceof PdfText) return JSON.stringify(value.bytes);
  return value instanceof PdfOperator ? value.name : String(value ?? null);
}
