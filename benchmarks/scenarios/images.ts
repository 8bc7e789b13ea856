import { type Loop, paragraph, tag } from "../word/blocks.ts";
import { noisePng } from "../word/png.ts";
import { seededRandom } from "../word/random.ts";
import type { ImageValue, Scenario } from "./scenario.ts";
import { amountText, companyName, sentence } from "./values.ts";

const PRODUCTS = 6;
const PRODUCT: Loop = { list: "products", item: "product" };
const POOL = 24;
const PIXELS = 64;

/** A page whose pictures come from the data. */
export const images: Scenario = {
  name: "images",
  title: "Pictures from data",
  description: `1 page, ${PRODUCTS} table rows, each with a picture of 12 kB from the data`,
  needs: ["images"],
  template: {
    header: ["Catalogue"],
    footer: ["Prices without tax"],
    body: [
      { block: "paragraph", pieces: ["Offer for ", tag("customer")], bold: true },
      {
        block: "table",
        headings: ["Picture", "Product", "Price"],
        loop: PRODUCT,
        cells: [
          [{ prints: "image", key: "photo", of: PRODUCT }],
          [tag("text", PRODUCT)],
          [tag("price", PRODUCT)],
        ],
      },
      paragraph("We look forward to your order."),
    ],
  },
  dataSets: 64,
  data: (index) => {
    const random = seededRandom(6_000 + index);
    return {
      customer: companyName(random),
      products: Array.from({ length: PRODUCTS }, (_, product) => ({
        photo: picture(index * PRODUCTS + product),
        text: sentence(random, 8),
        price: amountText(random),
      })),
    };
  },
};

/**
 * Returns one of a few pictures of random pixels. Consecutive pictures differ, so that each becomes a separate part.
 */
export function picture(number: number): ImageValue {
  return { pngBase64: noisePng(PIXELS, PIXELS, number % POOL).toString("base64") };
}
