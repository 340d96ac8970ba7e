import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Problem } from '@steward/kernel';
import type { TenantContext } from '@steward/sql';
import { runBySpreadsheet, separators } from '@steward/testing';
import { png } from '../fixtures/pictures.ts';
import { byDoor, createWorld, type World } from '../fixtures/world.ts';
import { createProducts } from '../products/create.ts';
import { uploadMedium } from '../media/upload.ts';
import { getProduct } from '../products/get.ts';
import { listProducts } from '../products/list.ts';
import { readTags, writeTags } from './cells.ts';
import { exportProducts } from './export.ts';
import { importProducts } from './import.ts';
import { markdownOf } from './markdown.ts';

const create = byDoor(createProducts);
const bring = byDoor(importProducts);
const upload = byDoor(uploadMedium);
const eur = (amount: string, more: object = {}) => ({ amount, currency: 'EUR', ...more });

/** As Shopify wrote them until 2024. */
const old = [
  'Handle,Title,Body (HTML),Vendor,Product Category,Type,Tags,Published,Option1 Name,Option1 Value,Option1 Linked To,Option2 Name,Option2 Value,' +
    'Option2 Linked To,Option3 Name,Option3 Value,Option3 Linked To,Variant SKU,Variant Grams,Variant Inventory Tracker,Variant Inventory Qty,' +
    'Variant Inventory Policy,Variant Fulfillment Service,Variant Price,Variant Compare At Price,Variant Requires Shipping,Variant Taxable,' +
    'Variant Barcode,Image Src,Image Position,Image Alt Text,Gift Card,SEO Title,SEO Description,Variant Image,Variant Weight Unit,Variant Tax ' +
    'Code,Cost per item,Included / International,Price / International,Status',
  'linen-shirt,"Linen ""Summer"" shirt","<p>Soft, and\r\n<strong>light</strong>.</p>\n<ul><li>Wash at 30°</li></ul>",Fjord & Co,Apparel & ' +
    'Accessories > Clothing,Shirt,"summer, linen",TRUE,Size,M,,Colour,Blue,,,,,LS-M-B,230.0,shopify,12,deny,manual,49.00,59.00,TRUE,TRUE,' +
    "'0123456789012,https://cdn.example/1.jpg,1,Front,FALSE,,,,kg,,20.00,TRUE,,active",
  'linen-shirt,,,,,,,,,L,,,Red,,,,,LS-L-R,,shopify,3,deny,manual,49.9,,TRUE,TRUE,,https://cdn.example/2.jpg,2,,,,,,kg,,,,,',
  'linen-shirt,,,,,,,,,,,,,,,,,,,,,,,,,,,,https://cdn.example/3.jpg,3,,,,,,,,,,,',
  'advice,Advice by the hour,,,,,,FALSE,Title,Default Title,,,,,,,,,0.0,,0,deny,manual,120,0.00,FALSE,TRUE,,,,,FALSE,,,,g,,,,,draft',
].join('\r\n');

describe('a product CSV', () => {
  let world: World;
  before(async () => {
    world = await createWorld();
  });
  after(async () => world[Symbol.asyncDispose]());

  const come = async (context: TenantContext, content: string, more: object = {}) =>
    bring(context, { content, currency: 'EUR', ...more }, world.deps);
  const read = async (context: TenantContext, handle: string) => getProduct(context, { handle }, world.deps);
  const written = async (context: TenantContext, currency = 'EUR'): Promise<string> =>
    (await Array.fromAsync(exportProducts(context, currency, world.deps.mediaAt))).join('');
  const faults = async (work: Promise<unknown>): Promise<[string, string][]> => {
    try {
      await work;
    } catch (error) {
      const { errors = [] } = error as Problem;
      return errors.map(({ code, detail, pointer }) => {
        assert.equal(pointer, '/content', detail);
        return [/^Line \d+/.exec(detail)?.[0] ?? detail, code];
      });
    }
    throw new Error('nothing was refused');
  };

  test('of another shop becomes products with variants, prices and brands, and tells what is not imported', async () => {
    const { context, brandId } = await world.tenant();
    const done = await come(context, old, { publishTo: [brandId] });
    assert.deepEqual([done.added, done.changed, done.unchanged], [2, 0, 0]);
    assert.deepEqual(done.published, [{ brandId, products: 1 }]);
    const told = new Map(done.notImported.map(({ column, lines }) => [column, lines]));
    assert.deepEqual(
      [told.get('Image Src'), told.get('Variant Inventory Qty'), told.get('SEO Title')],
      [undefined, 3, undefined],
    );
    const shirt = await read(context, 'linen-shirt');
    assert.deepEqual(
      [shirt.title, shirt.description, shirt.vendor, shirt.type, shirt.tags, shirt.status, shirt.brandIds],
      [
        'Linen "Summer" shirt',
        'Soft, and **light**.\n\n- Wash at 30°',
        'Fjord & Co',
        'Shirt',
        ['summer', 'linen'],
        'active',
        [brandId],
      ],
    );
    assert.deepEqual(
      shirt.variants.map(({ id: _id, ...one }) => one),
      [
        {
          options: { Size: 'M', Colour: 'Blue' },
          sku: 'LS-M-B',
          barcode: '0123456789012',
          weightGrams: 230,
          requiresShipping: true,
          prices: [{ ...eur('49.00'), minQuantity: 1, compareAt: '59.00' }],
        },
        {
          options: { Size: 'L', Colour: 'Red' },
          sku: 'LS-L-R',
          barcode: null,
          weightGrams: null,
          requiresShipping: true,
          prices: [{ ...eur('49.90'), minQuantity: 1, compareAt: null }],
        },
      ],
    );
    assert.deepEqual(done.pictures, { added: 3, skipped: [] });
    assert.deepEqual(
      shirt.media.map(({ source, alt, status }) => [source, alt, status]),
      [
        ['https://cdn.example/1.jpg', 'Front', 'pending'],
        ['https://cdn.example/2.jpg', '', 'pending'],
        ['https://cdn.example/3.jpg', '', 'pending'],
      ],
    );
    const advice = await read(context, 'advice');
    assert.deepEqual([advice.options, advice.status, advice.brandIds], [[], 'draft', []]);
    assert.deepEqual(advice.variants[0]?.prices, [{ ...eur('120.00'), minQuantity: 1, compareAt: null }]);
    const { items } = await byDoor(listProducts)(context, { query: 'linen', limit: 10 }, world.deps);
    assert.deepEqual(
      items.map(({ handle }) => handle),
      ['linen-shirt'],
    );
    const again = await come(context, old, { publishTo: [brandId] });
    assert.deepEqual([again.added, again.changed, again.unchanged, again.published], [0, 0, 2, []]);
    assert.equal(again.pictures.added, 0);
  });

  test('has its pictures fetched; one whose address is wrong is named by its line, and the rest of it is kept', async () => {
    const { context } = await world.tenant();
    const lines = [
      'Handle,Title,Variant Price,Product image URL,Image position,Image alt text',
      'mug,Mug,9.00,https://cdn.example/b.png,2,',
      'mug,,,https://cdn.example/a.png,1,Front',
      'mug,,,http://cdn.example/c.png,3,',
      'mug,,,https://cdn.example/a.png,9,Again',
      `cup,Cup,5.00,https://cdn.example/cup.png,first,`,
      `pot,Pot,5.00,https://cdn.example/pot.png,1,${'x'.repeat(513)}`,
      ...Array.from({ length: 51 }, (_one, index) => `many,Many,,https://cdn.example/${index}.png,,`),
    ];
    const done = await come(context, lines.join('\n'));
    assert.deepEqual([done.added, done.pictures.added], [4, 52]);
    assert.deepEqual(
      done.pictures.skipped.map(({ line, detail }) => `${line} ${detail.split(':')[0]}`),
      ['4 Image Src', '6 Image Position', '7 Image Alt Text', '58 Image Src'],
    );
    const shown = async (handle: string) => (await read(context, handle)).media.map(({ source, alt }) => [source, alt]);
    assert.deepEqual(await shown('mug'), [
      ['https://cdn.example/a.png', 'Front'],
      ['https://cdn.example/b.png', ''],
    ]);
    assert.deepEqual([(await read(context, 'cup')).media, (await read(context, 'cup')).title], [[], 'Cup']);
    await upload(context, { productId: (await read(context, 'cup')).id, alt: '=Cup', content: png(4, 3) }, world.deps);
    const [cup] = (await read(context, 'cup')).media;
    const file = await written(context);
    const at = (file.split('\n')[0] ?? '').split(',').indexOf('Image Src');
    const cells = file.split('\n').map((line) =>
      line
        .trimEnd()
        .split(',')
        .slice(at, at + 3)
        .join(),
    );
    assert.deepEqual(cells.slice(0, 4), [
      'Image Src,Image Position,Image Alt Text',
      'https://cdn.example/a.png,1,Front',
      'https://cdn.example/b.png,2,',
      `${cup?.url},1,'=Cup`,
    ]);
    const again = await come(context, file);
    assert.deepEqual([again.changed, again.unchanged, again.pictures], [0, 4, { added: 0, skipped: [] }]);
    const next = await come(context, 'Handle,Title,Image Src\nmug,Mug,https://cdn.example/d.png');
    assert.deepEqual([next.changed, next.pictures.added], [0, 1]);
    assert.equal((await shown('mug')).length, 3);
  });

  test('with the present headings, by semicolons and of another currency changes what it says and keeps the rest', async () => {
    const { context } = await world.tenant();
    await create(
      context,
      {
        products: [
          {
            title: 'Mug',
            description: 'Kept',
            custom: { kept: true },
            options: ['Size'],
            variants: [
              {
                options: { Size: 'S' },
                sku: 'S',
                barcode: '12',
                prices: [eur('5.00'), eur('4.00', { minQuantity: 10 })],
              },
              { options: { Size: 'M' }, sku: 'M', prices: [eur('6.00')] },
              { options: { Size: 'L' }, sku: 'L' },
            ],
          },
        ],
      },
      world.deps,
    );
    const first = await read(context, 'mug');
    const next =
      '\ufeffURL handle;Title;Option1 name;Option1 value;SKU;Price;Compare-at price\nmug;Big mug;Grösse;Medium;M;900;1200\nmug;;;S;S2;700;\n';
    const done = await come(context, next, { currency: 'JPY' });
    assert.deepEqual([done.added, done.changed, done.notImported], [0, 1, []]);
    const mug = await read(context, 'mug');
    assert.deepEqual(
      [mug.title, mug.description, mug.custom, mug.options],
      ['Big mug', 'Kept', { kept: true }, ['Grösse']],
    );
    assert.deepEqual(
      mug.variants.map(({ id, options, sku, barcode, prices }) => [
        first.variants.findIndex((one) => one.id === id),
        options['Grösse'],
        sku,
        barcode,
        prices.map(({ amount, currency, compareAt }) => `${amount} ${currency} ${compareAt}`),
      ]),
      [
        [1, 'Medium', 'M', null, ['6.00 EUR null', '900 JPY 1200']],
        [0, 'S', 'S2', '12', ['5.00 EUR null', '4.00 EUR null', '700 JPY null']],
        [2, 'L', 'L', null, []],
      ],
    );
  });

  test('that is exported is imported to the same, also by another tenant, whatever texts say', async () => {
    const [{ context }, other] = [await world.tenant(), await world.tenant()];
    const texts = [
      '\uff1d1+1',
      "'\uff1d1",
      '\uff0b1',
      '\uff0d1',
      '\uff20a',
      '=1+1',
      "'=1+1",
      '-5',
      '@a, "b"',
      "'quoted'",
      '+49',
      'a;b\tc'.replace('\t', ' '),
      'a; =1',
      "a;'=1",
      "a;''\u200b-1; \uff20b",
      '\u200b=1',
      "'\u200b=1",
      'a;"=1"',
    ];
    const products = texts.map((text, index) => ({
      handle: `p-${index}`,
      title: text,
      vendor: text,
      type: text,
      tags: [text, `"${text}`, 'plain'],
      description: `# ${text}\n\n- *a* <b>\n- b\r\n\n${text}\n`,
      status: ['draft', 'active', 'archived'][index % 3],
      taxCategory: 'reduced',
      options: ['A', text, 'C', 'D', 'E'],
      variants: [1, 2].map((one) => ({
        options: { A: text, [text]: `${one}`, C: 'c', D: '=d', E: 'e' },
        sku: text,
        barcode: index === 0 ? null : text,
        weightGrams: one === 1 ? null : 0,
        requiresShipping: one === 1,
        prices: one === 1 ? [eur('1.00', { compareAt: '2.00' })] : [],
      })),
    }));
    const spelledOut = { options: ['Title'], variants: [{ options: { Title: 'Default Title' } }] };
    const alone = [
      { title: 'Alone', handle: 'alone' },
      { title: 'Spelled out', handle: 'spelled-out', ...spelledOut },
    ];
    await create(context, { products: [...products, ...alone] }, world.deps);
    const file = await written(context);
    for (const separator of separators) assert.deepEqual(runBySpreadsheet(file, separator), []);
    const same = await come(context, file);
    assert.deepEqual([same.added, same.changed, same.unchanged, same.notImported], [0, 0, texts.length + 2, []]);
    assert.equal((await come(other.context, file)).added, texts.length + 2);
    assert.equal(await written(other.context), file);
    const bodyOnly = file.replace('<p># =1+1</p>', '<p>Other</p>');
    assert.deepEqual((await come(context, bodyOnly)).changed, 1);
    assert.match((await read(context, 'p-5')).description, /^Other\n\n/);
  });

  test('of ten thousand lines with a wrong one is refused by its line and nothing is written; without it all is', async () => {
    const { context } = await world.tenant();
    const lines = Array.from({ length: 10_000 }, (_one, index) => {
      const product = `p-${index % 1_000}`;
      return `${product},${product},Size,${index},${index === 7_776 ? 'cheap' : '9.99'}`;
    });
    const head = 'Handle,Title,Option1 Name,Option1 Value,Variant Price\n';
    assert.deepEqual(await faults(come(context, head + lines.join('\n'))), [['Line 7778', 'invalid_amount']]);
    assert.deepEqual(await world.events(context.tenant), []);
    assert.match(await faultOf(come(context, `${head}${lines.join('\n')}\nmore,More,,,1.00`)), /more than 10000 lines/);
    assert.match(
      await faultOf(come(context, `Title\n${lines.map((_line, index) => `T${index}`).join('\n')}`)),
      /10000 products: send at most 1000/,
    );
    const whole = await come(context, (head + lines.join('\n')).replace('cheap', '9.99'));
    assert.equal(whole.added, 1_000);
    assert.equal((await read(context, 'p-999')).variantCount, 10);
  });

  test('takes prices with a decimal comma, as spreadsheets write them where it is used', async () => {
    const { context } = await world.tenant();
    const file = 'Handle;Title;Variant Price;Variant Compare At Price\nmug;Mug;24,90;29,9\n';
    assert.equal((await come(context, file)).added, 1);
    const { variants } = await read(context, 'mug');
    assert.deepEqual(
      variants[0]?.prices.map(({ amount, compareAt }) => [amount, compareAt]),
      [['24.90', '29.90']],
    );
    const thousands = 'Handle;Title;Variant Price\nmug;Mug;1,290\n';
    assert.deepEqual(await faults(come(context, thousands)), [['Line 2', 'invalid_amount']]);
  });

  test('names each wrong line with what to mend', async () => {
    const { context } = await world.tenant();
    await create(
      context,
      { products: [{ title: 'Cup', options: ['Size'], variants: [{ options: { Size: 'S' } }] }] },
      world.deps,
    );
    const rows = [
      'Handle,Title,Option1 Name,Option1 Value,Variant SKU,Variant Price,Variant Compare At Price,Variant Grams,Status,Published',
      'a,A,Size,S,,1.00,,,active,TRUE',
      'a,,,S,,2.00,,,,',
      'b,,,,,,,,,',
      'Big B,B,,,,,,,,',
      'c,C,Size,S,,1.001,,,,',
      'd,D,Size,S,,-1,,,,',
      'e,E,Size,S,,2.00,1.00,,,',
      'f,F,Size,S,,1.00,,heavy,sold,maybe',
      'g,G,Size,,,1.00,,,,',
      'a,Another,,,,,,,,',
      'cup,Cup,Title,Default Title,,,,,,',
      'h,H,Size,S,,,3.00,,,',
      ',,,,,1.00,,,,',
      'i,I,Size,S,,9,99,,,,FALSE',
      'j,J,Size,S,,9.00,,,,,,,',
    ];
    const reading = await faults(come(context, rows.join('\n')));
    assert.deepEqual(reading, [
      ['Line 4', 'invalid_value'],
      ['Line 5', 'invalid_handle'],
      ['Line 9', 'invalid_value'],
      ['Line 9', 'invalid_value'],
      ['Line 9', 'invalid_value'],
      ['Line 10', 'required'],
      ['Line 11', 'duplicate'],
      ['Line 14', 'required'],
      ['Line 15', 'too_many_cells'],
    ]);
    const readable = rows.filter((_row, index) => ![3, 4, 8, 9, 10, 13, 14].includes(index));
    assert.deepEqual(await faults(come(context, readable.join('\n'))), [
      ['Line 3', 'duplicate'],
      ['Line 4', 'invalid_amount'],
      ['Line 5', 'invalid_amount'],
      ['Line 6', 'invalid_amount'],
      ['Line 7', 'variants_left_out'],
      ['Line 8', 'required'],
    ]);
  });

  test('of more faults than an answer names tells how many there are, and a file that is none why', async () => {
    const { context } = await world.tenant();
    const many = Array.from({ length: 150 }, () => 'x y,X').join('\n');
    const refused = come(context, `Handle,Title\n${many}`);
    assert.equal((await faults(refused)).length, 100);
    await assert.rejects(refused, /150 faults/);
    for (const [content, about] of [
      ['Name,Price\nMug,1', /no column Title/],
      ['Title\n"Mug', /line 2: a quote/],
      [`Title${','.repeat(600)}\n`, /more than 500 columns/],
      [`Title,${'a'.repeat(20_000)}${','.repeat(600)}\nMug\n`, /first line is longer than 16384 characters/],
      ['Title\nM\0ug', /NUL/],
    ] as const)
      assert.match(await faultOf(come(context, content)), about);
  });

  const faultOf = async (work: Promise<unknown>): Promise<string> =>
    (await faults(work)).map(([detail]) => detail).join();
});

test('tags with commas and quotes are read as they were written', () => {
  const tags = ['a', 'b, c', '"d"', '"e', 'f"g', '"h", i', "'"];
  assert.deepEqual(readTags(writeTags(tags)), tags);
  assert.deepEqual(readTags(' a ,b,, a,"c'), ['a', 'b', '"c']);
});

describe('a description in HTML', () => {
  const cases: readonly [html: string, markdown: string][] = [
    ['Plain text\r\nof  two lines', 'Plain text of two lines'],
    ['<p>One<br>two<br/><br>three</p><p>four</p>', 'One\\\ntwo\n\nthree\n\nfour'],
    ['<H2 class="x">A <b>b</b></H2><p> <em> c </em>d</p>', '## A **b**\n\n*c* d'],
    ['<ul><li>a</li><li><p>b</p><ol><li>c</li></ol></li></ul>e', '- a\n- b\n  1. c\n\ne'],
    ['<a href="https://x.example/a(b)?c=1&amp;d=2">go</a>', '[go](https://x.example/a%28b%29?c=1&d=2)'],
    ['<a href="javascript:alert(1)">go</a> <a href=\'data:text/html,x\'>there</a>', 'go there'],
    ['a<script>alert("<p>")</script><style>p{}</style><!-- <b> -->b', 'ab'],
    ['<p># no *mark* [x](y)</p><p>- no</p><p>1. no</p>', String.raw`\# no \*mark\* \[x\](y)` + '\n\n\\- no\n\n1\\. no'],
    ['1 < 2 &lt;b&gt; &#8364;&#x20AC;&nbsp;&unknown; &#0;', '1 < 2 <b> €€ &unknown;'],
    ['<table><tr><td>a</td><td>b</td></tr></table><span>c</span>', 'a b\n\nc'],
  ];
  for (const [html, markdown] of cases)
    test(`of ${JSON.stringify(html)} becomes Markdown`, () => assert.equal(markdownOf(html), markdown));
});
