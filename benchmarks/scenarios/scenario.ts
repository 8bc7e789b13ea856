import type { TemplateText } from "../word/blocks.ts";

/** A template and the data sets that it is rendered with in turn. */
export interface Scenario {
  /** Names its files, and is what `--only` takes. */
  readonly name: string;
  /** What it is, for the page of results. */
  readonly title: string;
  readonly description: string;
  readonly template: TemplateText;
  /** What an engine must be able to do, beyond text, rows and conditions. */
  readonly needs: readonly ("images" | "html")[];
  readonly dataSets: number;
  /** The data of one document: JSON, but for pictures, which are {@link ImageValue}s. */
  data(index: number): Data;
}

/** The data of a document. */
export type Data = Readonly<Record<string, unknown>>;

/** A picture in the data; each engine gets it in the form that it wants, made before the time is taken. */
export interface ImageValue {
  readonly pngBase64: string;
}

/** Whether a value is a picture. */
export function isImageValue(value: unknown): value is ImageValue {
  return typeof value === "object" && value !== null && "pngBase64" in value;
}

/** Pictures are square, and shown with this width and height. */
export const IMAGE_SIDE_CM = 3;

/** The data with each picture in the form that an engine wants. */
export function withImages(data: Data, convert: (image: ImageValue) => unknown): Data {
  const visit = (value: unknown): unknown => {
    if (isImageValue(value)) return convert(value);
    if (Array.isArray(value)) return value.map(visit);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, visit(item)]));
  };
  return visit(data) as Data;
}
