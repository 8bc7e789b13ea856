import { type Block, type Piece, paragraph, tag } from "../word/blocks.ts";
import { type Random, seededRandom } from "../word/random.ts";
import type { Data, Scenario } from "./scenario.ts";
import { amountText, companyName, dateText, personName, sentence, streetName } from "./values.ts";

const MOST_FIELDS = 200;
const TAGS_OF_SECTION = 7;
const SPLIT_TAGS_OF_SECTION = 4;
/** The paragraphs of a section whose tags Word has split over runs: four of its seven tags. */
const SPLIT = new Set([1, 3, 4]);

/** A long text with few tags. Its cost depends on the text between the tags. */
export const contract: Scenario = contractOf(30, "some 50 pages");

/** Returns the contract with this number of sections. Three sections fill five pages. */
export function contractOf(sections: number, length: string): Scenario {
  const tags = sections * TAGS_OF_SECTION;
  const fields = Math.min(MOST_FIELDS, tags);
  return {
    name: "contract",
    title: "Contract",
    description: `${length}, ${tags} tags, ${sections * SPLIT_TAGS_OF_SECTION} of them split over runs, ${sections} conditions`,
    needs: [],
    template: {
      header: ["Contract ", tag("f0")],
      footer: ["Master Service Agreement"],
      body: [
        { block: "paragraph", pieces: ["Master Service Agreement"], style: "Title" },
        ...sectionBlocks(sections, fields),
      ],
    },
    dataSets: 64,
    data: (index) => {
      const random = seededRandom(3_000 + index);
      const values: Record<string, unknown> = {};
      for (let field = 0; field < fields; field++) values[`f${field}`] = fieldValue(random);
      for (let section = 0; section < sections; section++) {
        values[`c${section}`] = random.below(2) === 1;
      }
      return values satisfies Data;
    },
  };
}

function sectionBlocks(sections: number, fields: number): Block[] {
  const random = seededRandom(7);
  const blocks: Block[] = [];
  let field = 0;
  const nextField = () => tag(`f${field++ % fields}`);
  for (let section = 0; section < sections; section++) {
    blocks.push({ block: "paragraph", pieces: [`${section + 1}. Section`], style: "Heading1" });
    for (let at = 0; at < 5; at++) {
      const first = nextField();
      const second: Piece[] = at % 4 === 0 ? [" ", nextField()] : [];
      blocks.push({
        block: "paragraph",
        pieces: [
          `${sentence(random, 30)} `,
          first,
          ` ${sentence(random, 25)}`,
          ...second,
          ` ${sentence(random, 40)}`,
        ],
        split: SPLIT.has(at),
      });
    }
    blocks.push(
      paragraph(sentence(random, 100)),
      paragraph(sentence(random, 120)),
      {
        block: "condition",
        key: `c${section}`,
        pieces: [`Optional clause: ${sentence(random, 60)}`],
      },
      ...bullets(random),
    );
  }
  return blocks;
}

function bullets(random: Random): Block[] {
  return [1, 2, 3].map(() => ({
    block: "paragraph",
    pieces: [sentence(random, 12)],
    style: "ListBullet",
  }));
}

function fieldValue(random: Random): string {
  return random.pick([amountText, companyName, dateText, personName, streetName])(random);
}
