import type { TemplateText } from "../word/blocks.ts";

/** A template, and the data sets with which it is rendered in turn. */
export interface Scenario {
  /** Its name in file names and for `--only`. */
  readonly name: string;
  /** Its title on the page of results. */
  readonly title: string;
  readonly description: string;
  readonly template: TemplateText;
  /** The abilities that an engine needs beyond text, rows and conditions. */
  readonly needs: readonly ("images" | "html")[];
  readonly dataSets: number;
  /** The data of one document: JSON, except that pictures are {@link ImageValue}s. */
  data(index: number): Data;
}

/** The data of a document. */
export type Data = Readonly<Record<string, unknown>>;

/** A picture in the data. Each engine gets it in its own format, converted before the measurement. */
export interface ImageValue {
  readonly pngBase64: string;
}

/** Whether a value is a picture. */
export function isImageValue(value: unknown): value is ImageValue {
  return typeof value === "object" && value !== null && "pngBase64" in value;
}

/** The width and height of pictures, which are square. */
export const IMAGE_SIDE_CM = 3;

/** The data with each picture in an engine's format. */
export function withImages(data: Data, convert: (image: ImageValue) => unknown): Data {
  const visit = (value: unknown): unknown => {
    if (isImageValue(value)) return convert(value);
    if (Array.isArray(value)) return value.map(visit);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, visit(item)]));
  };
  return visit(data) as Data;
}
