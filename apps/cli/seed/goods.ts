/** How something is drawn. */
export const shapes = [
  'mug',
  'bowl',
  'vase',
  'teapot',
  'espresso',
  'plate',
  'pitcher',
  'planter',
  'dripper',
  'jar',
  'candle',
  'bag',
] as const;
export type Shape = (typeof shapes)[number];
export type Pattern = 'dipped' | 'speckled' | 'bands' | 'plain';

export interface Palette {
  readonly ground: string;
  readonly table: string;
  readonly body: string;
  readonly glaze: string;
  readonly detail: string;
}

export interface Good {
  readonly title: string;
  readonly description: string;
  readonly type: string;
  readonly tags: readonly string[];
  readonly taxCategory: 'standard' | 'reduced';
  readonly options: readonly (readonly [name: string, values: readonly string[]])[];
  readonly variants: readonly {
    readonly options: Readonly<Record<string, string>>;
    readonly sku: string;
    readonly grams: number;
    /** EUR cents. */
    readonly price: number;
    readonly before?: number;
  }[];
  readonly drawing: { readonly shape: Shape; readonly pattern: Pattern; readonly palette: Palette };
}

interface Line {
  readonly name: string;
  readonly story: string;
  readonly glazes: readonly [string, string];
  readonly pattern: Pattern;
  readonly palette: Palette;
}

const lines: readonly Line[] = [
  {
    name: 'Juniper',
    story: 'A deep forest green over warm sand, dipped by hand so that no two edges are alike.',
    glazes: ['Forest', 'Sage'],
    pattern: 'dipped',
    palette: { ground: '#e9e4d8', table: '#d8cfbd', body: '#e3d2b8', glaze: '#2f5d4a', detail: '#1f4435' },
  },
  {
    name: 'Tide',
    story: 'Two blues that run into each other in the kiln like water over stones.',
    glazes: ['Sea blue', 'Fog'],
    pattern: 'bands',
    palette: { ground: '#dfe7ea', table: '#c6d3d8', body: '#f3f0e8', glaze: '#3f6f8f', detail: '#274b64' },
  },
  {
    name: 'Ember',
    story: 'An iron-rich clay that turns a glowing terracotta at 1240 °C.',
    glazes: ['Terracotta', 'Charcoal'],
    pattern: 'plain',
    palette: { ground: '#f3e3d7', table: '#e4c9b6', body: '#c4643f', glaze: '#a84e2d', detail: '#6f2f19' },
  },
  {
    name: 'Dune',
    story: 'Speckled stoneware with a matte glaze in the colours of dry grass and sand.',
    glazes: ['Oat', 'Honey'],
    pattern: 'speckled',
    palette: { ground: '#efe9f0', table: '#dccfdc', body: '#f0e6d2', glaze: '#e2c48e', detail: '#8a6a3d' },
  },
];

interface Kind {
  readonly shape: Exclude<Shape, 'bag'>;
  readonly called: string;
  readonly type: string;
  /** EUR cents, and grams. */
  readonly price: number;
  readonly grams: number;
  readonly sizes?: readonly [string, string];
  readonly says: string;
}

const kinds: readonly Kind[] = [
  {
    shape: 'mug',
    called: 'mug',
    type: 'Mugs',
    price: 2400,
    grams: 380,
    sizes: ['250 ml', '350 ml'],
    says: 'Sits low in the hand, keeps coffee warm, and is **safe in the dishwasher**.',
  },
  {
    shape: 'bowl',
    called: 'bowl',
    type: 'Bowls',
    price: 2900,
    grams: 540,
    sizes: ['14 cm', '18 cm'],
    says: 'For porridge in the morning and soup at night.',
  },
  {
    shape: 'vase',
    called: 'vase',
    type: 'Vases',
    price: 4800,
    grams: 900,
    sizes: ['18 cm', '26 cm'],
    says: 'Narrow at the neck, so that three stems are enough.',
  },
  {
    shape: 'teapot',
    called: 'teapot',
    type: 'Teapots',
    price: 7900,
    grams: 1100,
    says: 'Holds four cups and pours without a drop. The lid stays on.',
  },
  {
    shape: 'espresso',
    called: 'espresso cup',
    type: 'Cups',
    price: 1600,
    grams: 190,
    says: 'Thick walls for a short coffee.',
  },
  {
    shape: 'plate',
    called: 'plate',
    type: 'Plates',
    price: 2600,
    grams: 620,
    sizes: ['21 cm', '27 cm'],
    says: 'A flat rim and a foot that does not scratch the table.',
  },
  {
    shape: 'pitcher',
    called: 'pitcher',
    type: 'Pitchers',
    price: 5200,
    grams: 980,
    says: 'For water, milk, or the flowers that were too tall for the vase.',
  },
  {
    shape: 'planter',
    called: 'planter',
    type: 'Planters',
    price: 3400,
    grams: 850,
    sizes: ['12 cm', '16 cm'],
    says: 'With a hole and a saucer.',
  },
  {
    shape: 'dripper',
    called: 'pour-over dripper',
    type: 'Coffee ware',
    price: 3900,
    grams: 420,
    says: 'Takes paper filters of size 02 and sits on any mug.',
  },
  {
    shape: 'jar',
    called: 'storage jar',
    type: 'Jars',
    price: 4400,
    grams: 760,
    says: 'A cork lid keeps coffee, tea or salt dry.',
  },
  {
    shape: 'candle',
    called: 'candle holder',
    type: 'Candle holders',
    price: 1900,
    grams: 240,
    says: 'For a slim candle, with a handle for the stairs.',
  },
];

const coffees: readonly (readonly [name: string, notes: string, palette: Palette, price: number])[] = [
  ['Guji Highlands', 'Jasmine, apricot, honey', bag('#f2d9c9', '#d9744f', '#f6efe2'), 1350],
  ['Huila Supremo', 'Caramel, red apple, cocoa', bag('#dfe8dc', '#4d7c5b', '#f5f1e6'), 1190],
  ['Antigua Pastores', 'Dark chocolate, orange, almond', bag('#e6dfee', '#6b5b95', '#f3eefa'), 1250],
  ['Kirinyaga AA', 'Blackcurrant, tomato leaf, sugar cane', bag('#f5dfe3', '#b33a52', '#fdf3f1'), 1490],
  ['House espresso', 'Hazelnut, molasses, plum', bag('#e7ddd0', '#5a4334', '#f3e9da'), 1090],
  ['Decaf Sierra', 'Milk chocolate, fig, toast', bag('#dbe6ee', '#4a7a99', '#f1f6f8'), 1290],
  ['Winter roast', 'Cinnamon, cherry, walnut', bag('#e3e5ea', '#2f3e5c', '#eceff5'), 1390],
  ['Sumatra Gayo', 'Cedar, tobacco, dark cocoa', bag('#e5e0d0', '#6d6a3a', '#f4f1df'), 1220],
  ['Yirga natural', 'Blueberry, vanilla, black tea', bag('#e0def2', '#4b56a6', '#efeffb'), 1450],
  ['Minas pulped natural', 'Peanut, milk chocolate, dates', bag('#f4e8c8', '#c08a1e', '#fdf6e3'), 1050],
  ['Cold brew blend', 'Cola, plum, brown sugar', bag('#d5e9e6', '#1f7a73', '#ecf7f5'), 1180],
  ['Tarrazú honey', 'Peach, panela, orange blossom', bag('#fae3cf', '#e08e45', '#fff5ea'), 1380],
  ['Nyamasheke washed', 'Red grape, lime, rose hip', bag('#f0dce6', '#9c3d72', '#fbf0f5'), 1420],
  ['Santa Ana bourbon', 'Toffee, pear, cashew', bag('#e2ead0', '#7a9440', '#f4f8e8'), 1270],
  ['Sunday filter', 'Lemon, malt, milk chocolate', bag('#fdf0c4', '#d6b02c', '#fffaf0'), 990],
  ['Midnight espresso', 'Bitter cocoa, liquorice, smoke', bag('#d9d9dc', '#2b2b30', '#eeeeef'), 1120],
];

function bag(ground: string, glaze: string, detail: string): Palette {
  return { ground, table: glaze, body: glaze, glaze, detail };
}

/** What the shop sells: pieces of every line and a coffee after each three, the same for everybody. At most 60. */
export function goods(count: number): Good[] {
  const pieces = kinds.flatMap((kind, row) =>
    lines.map((_line, column) => piece(kind, lines[(column + row) % lines.length] ?? lines[0]!)),
  );
  const roasts = coffees.map(roast);
  return pieces
    .flatMap((one, index) => (index % 3 === 2 ? [one, ...roasts.slice((index - 2) / 3, (index + 1) / 3)] : [one]))
    .concat(roasts.slice(Math.floor(pieces.length / 3)))
    .slice(0, count);
}

const code = (text: string): string =>
  text
    .replaceAll(/[^A-Za-z0-9]/g, '')
    .slice(0, 4)
    .toUpperCase();

function piece({ shape, called, type, price, grams, sizes, says }: Kind, line: Line): Good {
  const reduced = line.name === 'Ember' && (shape === 'vase' || shape === 'planter');
  return {
    title: `${line.name} ${called}`,
    description: `${line.story}\n\n${says}\n\n- Thrown and glazed in our workshop\n- Stoneware, fired at 1240 °C\n- Each piece is a little different`,
    type,
    tags: [line.name, 'Ceramics'],
    taxCategory: 'standard',
    options: [...(sizes === undefined ? [] : ([['Size', sizes]] as const)), ['Glaze', line.glazes]],
    variants: (sizes ?? [undefined]).flatMap((size, larger) =>
      line.glazes.map((glaze) => ({
        options: { ...(size === undefined ? {} : { Size: size }), Glaze: glaze },
        sku: ['JC', code(line.name), code(shape), size === undefined ? '' : code(size), code(glaze)]
          .filter(Boolean)
          .join('-'),
        grams: Math.round(grams * (1 + larger * 0.4)),
        price: price + larger * 800,
        ...(reduced ? { before: price + larger * 800 + 1200 } : {}),
      })),
    ),
    drawing: { shape, pattern: line.pattern, palette: line.palette },
  };
}

function roast([name, notes, palette, price]: (typeof coffees)[number]): Good {
  return {
    title: name,
    description: `**${notes}.**\n\nRoasted on Tuesdays in small batches, and sent the day after.\n\n- Arabica, traded directly\n- Best within three months`,
    type: 'Coffee',
    tags: ['Coffee', ...(name.includes('espresso') ? ['Espresso'] : ['Filter'])],
    taxCategory: 'reduced',
    options: [
      ['Weight', ['250 g', '1 kg']],
      ['Grind', ['Whole bean', 'Filter', 'Espresso']],
    ],
    variants: ['250 g', '1 kg'].flatMap((weight, large) =>
      ['Whole bean', 'Filter', 'Espresso'].map((grind) => ({
        options: { Weight: weight, Grind: grind },
        sku: ['JC', code(name), name.length, code(weight), code(grind)].join('-'),
        grams: large === 1 ? 1040 : 280,
        price: large === 1 ? Math.round((price * 3.5) / 50) * 50 : price,
      })),
    ),
    drawing: { shape: 'bag', pattern: 'plain', palette },
  };
}
