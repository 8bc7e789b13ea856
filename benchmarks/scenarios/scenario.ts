import type { TemplateText } from "../word/blocks.ts";

/** A template and its data sets. The template is rendered with each data set in turn. */
export interface Scenario {
  /** The name of the scenario in file names and for `--only`. */
  readonly name: string;
  /** The title of the scenario on the results page. */
  readonly title: string;
  readonly description: string;
  readonly template: TemplateText;
  /** The features that an engine needs in addition to text, rows and conditions. */
  readonly needs: readonly ("images" | "html")[];
  readonly dataSets: number;
  /** Returns the data of one document: JSON, except that pictures are {@link ImageValue}s. */
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

/** The width and the height of pictures, which are square. */
export const IMAGE_SIDE_CM = 3;

/** Returns the data with each picture in an engine's format. */
export function withImages(data: Data, convert: (image: ImageValue) => unknown): Data {
  const visit = (value: unknown): unknown => {
    if (isImageValue(value)) return convert(value);
    if (Array.isArray(value)) return value.map(visit);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, visit(item)]));
  };
  return visit(data) as Data;
}
