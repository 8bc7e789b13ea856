import type { ImageValue, Scenario } from "../scenarios/scenario.ts";
import { companyName, sentence } from "../scenarios/values.ts";
import { paragraph, tag } from "../word/blocks.ts";
import { encodePng } from "../word/png.ts";
import { seededRandom } from "../word/random.ts";
import { QUIRE, type Syntax } from "../word/syntax.ts";

const WIDTH = 1_600;
const HEIGHT = 1_200;
const PHOTOS = 4;
/** The amount of noise in the pixels, as in photos from a camera. */
const GRAIN = 25;

/** Two photos from the data, each as wide as the text. */
export const photos: Scenario = {
  name: "photos",
  title: "Photos",
  description: `2 pages, each with a photo of ${WIDTH} × ${HEIGHT} pixels`,
  needs: ["images"],
  template: {
    header: ["Inspection"],
    footer: ["Photos are not retouched"],
    body: [
      { block: "paragraph", pieces: ["Inspection for ", tag("customer")], bold: true },
      paragraph(tag("first")),
      paragraph({ prints: "image", key: "firstPhoto", of: null }),
      paragraph(tag("second")),
      paragraph({ prints: "image", key: "secondPhoto", of: null }),
    ],
  },
  dataSets: PHOTOS,
  data: (index) => {
    const random = seededRandom(8_000 + index);
    return {
      customer: companyName(random),
      first: sentence(random, 8),
      firstPhoto: photo(index % PHOTOS),
      second: sentence(random, 8),
      secondPhoto: photo((index + 1) % PHOTOS),
    };
  },
};

/** Quire's tags for pictures that are as wide as the text. At 254 pixels per inch, they are not scaled down. */
export const WIDE_PICTURES: Syntax = {
  ...QUIRE,
  name: "quire-wide",
  value: (each) =>
    each.prints === "image" ? `{{${each.key} :: width("16cm")}}` : QUIRE.value(each),
};

const made = new Map<number, ImageValue>();

function photo(seed: number): ImageValue {
  const known = made.get(seed) ?? newPhoto(seed);
  made.set(seed, known);
  return known;
}

/** Returns waves of colour with noise, as PNG. Like a photo, they compress, but not by much. */
function newPhoto(seed: number): ImageValue {
  const random = seededRandom(9_000 + seed);
  const wave = () => ({ across: random.below(40) / 4_000, down: random.below(40) / 4_000 });
  const waves = [wave(), wave(), wave()];
  const stride = 1 + WIDTH * 3;
  const lines = Buffer.alloc(HEIGHT * stride);
  for (let y = 0; y < HEIGHT; y++) {
    // 1 is the PNG filter that stores the difference from the previous pixel.
    lines[y * stride] = 1;
    for (const [channel, { across, down }] of waves.entries()) {
      let before = 0;
      for (let x = 0; x < WIDTH; x++) {
        const shade = 128 + 110 * Math.sin(x * across + y * down + seed);
        const value = Math.round(shade) + random.below(GRAIN) - (GRAIN >> 1);
        lines[y * stride + 1 + x * 3 + channel] = value - before;
        before = value;
      }
    }
  }
  return { pngBase64: encodePng(WIDTH, HEIGHT, lines).toString("base64") };
}
