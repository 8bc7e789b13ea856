// The customers and products of the workshop. The names are invented, and chosen for their characters.

export interface Customer {
  readonly name: string;
  readonly street: string;
  readonly city: string;
  readonly country: string;
  readonly vatId?: string;
}

/** Prices in cents. With `tenths`, a quantity may be a fraction, and the price is a multiple of 10 cents. */
export interface Product {
  readonly description: string;
  readonly cents: number;
  readonly unit?: readonly [one: string, many: string];
  readonly tenths?: true;
  /** Repairs have a reduced VAT rate. */
  readonly repair?: true;
  readonly details?: readonly string[];
}

export const EU =
  "France Germany Poland Spain Italy Denmark Czechia Greece Bulgaria Netherlands Portugal Sweden";

/** Countries whose names of months are in Latin letters. Invoices to other countries have Irish formats. */
export const LOCALES: Readonly<Record<string, string>> = {
  France: "fr-FR",
  Germany: "de-DE",
  Spain: "es-ES",
  Italy: "it-IT",
  Denmark: "da-DK",
  Netherlands: "nl-NL",
  Portugal: "pt-PT",
  Sweden: "sv-SE",
};

export const CUSTOMERS: readonly Customer[] = [
  {
    name: "Café Brûlée & Fils",
    street: "12, rue de l’Église",
    city: "69005 Lyon",
    country: "France",
    vatId: "FR 40 303265045",
  },
  {
    name: "O’Sullivan’s Bookshop",
    street: "3 Paul Street",
    city: "Cork T12 K2P8",
    country: "Ireland",
  },
  {
    name: "Müller & Söhne Buchbinderei GmbH",
    street: "Königsstraße 41",
    city: "70173 Stuttgart",
    country: "Germany",
    vatId: "DE 136695976",
  },
  {
    name: "山田文具株式会社",
    street: "神田神保町 2-14-5",
    city: "東京都千代田区 101-0051",
    country: "Japan",
  },
  {
    name: "Smith <& Daughters>",
    street: 'Unit 7, "The Old Mill"',
    city: "Leeds LS11 5WD",
    country: "United Kingdom",
  },
  {
    name: "Łódzka Drukarnia Artystyczna Sp. z o.o.",
    street: "ul. Piotrkowska 104a",
    city: "90-926 Łódź",
    country: "Poland",
    vatId: "PL 7251801126",
  },
  {
    name: "חנות הנייר של מרים",
    street: "רחוב דיזנגוף 99",
    city: "תל אביב 6439602",
    country: "Israel",
  },
  {
    name: "Señora Ibáñez – Papelería",
    street: "Calle del Niño Jesús, 8, 3.º B",
    city: "28009 Madrid",
    country: "Spain",
    vatId: "ES B58378431",
  },
  {
    name: 'D\'Angelo "Il Torchio" S.r.l.',
    street: "Via dell'Orso 16",
    city: "20121 Milano",
    country: "Italy",
    vatId: "IT 00743110157",
  },
  {
    name: "Ørsted Skole og Bibliotek",
    street: "Nørrebrogade 200",
    city: "2200 København N",
    country: "Denmark",
    vatId: "DK 13585628",
  },
  {
    name: "Niamh Ní Bhriain",
    street: "Apt 4, 17 Sráid na Siopaí",
    city: "Galway H91 E9NX",
    country: "Ireland",
  },
  {
    name: "Þórunn Æsa Jónsdóttir",
    street: "Laugavegur 55",
    city: "101 Reykjavík",
    country: "Iceland",
  },
  {
    name: "Žižkov Press s.r.o.",
    street: "Bořivojova 878/35",
    city: "130 00 Praha 3",
    country: "Czechia",
    vatId: "CZ 25123891",
  },
  {
    name: "Kırtasiye Işık Ltd. Şti.",
    street: "İstiklal Caddesi 212",
    city: "34433 Beyoğlu, İstanbul",
    country: "Türkiye",
  },
  {
    name: "Αφοί Παπαδόπουλοι Ο.Ε.",
    street: "Οδός Ερμού 58",
    city: "105 63 Αθήνα",
    country: "Greece",
    vatId: "EL 094259216",
  },
  {
    name: "Издателство „Зора“ ЕООД",
    street: "бул. Витоша 89",
    city: "1463 София",
    country: "Bulgaria",
    vatId: "BG 175074752",
  },
  {
    name: "Van der Meer-de Vries / Atelier 'Papier'",
    street: "Prinsengracht 263-hs",
    city: "1016 GV Amsterdam",
    country: "Netherlands",
    vatId: "NL 004495445B01",
  },
  {
    name: "Nguyễn Thị Ánh Tuyết",
    street: "48 Phố Hàng Gai",
    city: "Hà Nội 100000",
    country: "Vietnam",
  },
  {
    name: "St. John's College, Fellows' Library",
    street: "Second Court",
    city: "Cambridge CB2 1TP",
    country: "United Kingdom",
  },
  {
    name: "R&D <Print> Labs, Inc.",
    street: "1400 16th St NW, Suite #330",
    city: "Washington, DC 20036",
    country: "United States",
  },
  {
    name: "Ateliê São João & Cia.",
    street: "Rua da Conceição, 77 – 2.º esq.",
    city: "1100-153 Lisboa",
    country: "Portugal",
    vatId: "PT 501964843",
  },
  {
    name: "Björk & Lindström Förlag AB",
    street: "Södra Vägen 12",
    city: "412 54 Göteborg",
    country: "Sweden",
    vatId: "SE 556188840401",
  },
  {
    name: "Cork Harbour Heritage Trust",
    street: "The Custom House, Deepwater Quay",
    city: "Cobh P24 X201",
    country: "Ireland",
  },
  {
    name: "Munster Guild of Hand-Made Paper",
    street: "Old Constabulary Barracks, 2nd floor, rear building",
    city: "Limerick V94 T9PX",
    country: "Ireland",
  },
  {
    name: "Zoë Krüger-Ōta",
    street: "Am Bächle 9¾",
    city: "79098 Freiburg i. Br.",
    country: "Germany",
  },
];

export const PRODUCTS: readonly Product[] = [
  {
    description: "Notebook, thread-sewn",
    cents: 1450,
    details: ["A5, dotted", "A5, plain", "A6, ruled", "B5, grid 5 mm"],
  },
  {
    description: "Laid paper 120 g/m²",
    cents: 38,
    unit: ["sheet", "sheets"],
    details: ["ivory, 50 × 70 cm", "white, 50 × 70 cm", "“Écru”, deckle edge"],
  },
  {
    description: "Letterpress business cards",
    cents: 9900,
    unit: ["set", "sets"],
    details: ['100 on "cotton" 600 g', "250, printed 2/1"],
  },
  {
    description: "Bookbinder’s linen",
    cents: 1840,
    unit: ["m", "m"],
    tenths: true,
    details: ["charcoal", "oxblood", "natural & undyed"],
  },
  {
    description: "Hand-marbled paper",
    cents: 2275,
    unit: ["sheet", "sheets"],
    details: ["“Stone” pattern", "“Peacock” pattern", "Suminagashi, ‘ink floating’"],
  },
  {
    description: "Wheat starch paste",
    cents: 799,
    unit: ["jar", "jars"],
    details: ["250 ml", "500 ml"],
  },
  { description: "Bone folder", cents: 1195, details: ["150 mm", "200 mm, tapered"] },
  { description: "Type setting", cents: 6400, unit: ["h", "h"], tenths: true },
  { description: "Proof, press and courier", cents: 4850 },
  {
    description: "Greeting cards, blank",
    cents: 265,
    details: ["folded to A6", "folded to 148 × 148 mm"],
  },
  {
    description: "Slipcase, made to measure",
    cents: 5820,
    details: ["grey board 2.5 mm <covered>", "spine ≤ 40 mm"],
  },
  { description: "Ring binding repair", cents: 2310, unit: ["volume", "volumes"], repair: true },
  { description: "Envelope C6, lined", cents: 87, details: ["gold tissue", "navy tissue"] },
  { description: "Offcuts by weight", cents: 620, unit: ["kg", "kg"], tenths: true },
];

export const NOTES: readonly string[] = [
  "Two sheets of the “Peacock” pattern are on back order & follow free of carriage by the end of the month.",
  "Please check the spelling on the proof (esp. <accents> like é, ő, ş) before Friday.\nWe print on Monday.",
  "Many thanks for your order – it's a pleasure to work with you!",
  'Delivered to the side entrance; ask for Seán at the "blue door".',
  "As agreed by telephone, the slipcases are charged at last year’s price.",
];
