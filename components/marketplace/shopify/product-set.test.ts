import assert from 'node:assert/strict';
import { test } from 'node:test';
import { markdownOf } from '@steward/catalogue';
import { pageHtmlOf } from './html.ts';
import { changesOf, type Described, matchVariants } from './product-set.ts';

const described: Described = {
  id: '01a21fe6-d013-738a-b595-46df99f9b5b4',
  title: 'Cup',
  description: 'A cup',
  vendor: null,
  type: null,
  tags: [],
  status: 'active',
  options: [],
  variants: [
    {
      id: 'v',
      options: {},
      sku: null,
      barcode: null,
      weightGrams: null,
      requiresShipping: true,
      price: '1.00',
      compareAt: null,
    },
  ],
  pictures: [{ url: 'https://shop.example.com/media/1', alt: 'A cup' }],
};

test('pictures go along with a product that a shop does not have yet, and with no other', () => {
  const fresh = changesOf(described, undefined, new Map(), { currency: 'EUR', counted: true });
  assert.deepEqual(fresh?.['files'], [
    { originalSource: 'https://shop.example.com/media/1', alt: 'A cup', contentType: 'IMAGE' },
  ]);
  const there = {
    id: '1',
    ownId: described.id,
    updatedAt: '2026-11-20T10:00:00.000Z',
    title: 'Cup',
    description: 'A cup',
    vendor: 'shop',
    type: null,
    tags: [],
    status: 'active',
    options: [],
    currency: 'EUR',
    variants: [
      {
        id: '2',
        options: {},
        sku: null,
        barcode: null,
        weightGrams: null,
        requiresShipping: true,
        price: 100n,
        compareAt: null,
        inventoryItemId: '3',
        tracked: true,
        available: 0,
      },
    ],
  } as const;
  const matched = matchVariants(described.variants, there.variants, new Map());
  assert.deepEqual([...matched], [['v', '2']]);
  assert.equal(changesOf(described, there, matched, { currency: 'EUR', counted: true }), undefined);
});

test('a description is written as it is read, and nothing in it becomes markup', () => {
  const text =
    '# Care\n\nWash **cold**, *gently*.\\\nThen [read](https://example.com/a?b=1&c=2).\n\n- one\n- two\n\nOr:\n\n1. first\n2. second';
  const html = pageHtmlOf(text);
  assert.equal(markdownOf(html), text);
  assert.equal(
    html,
    '<h1>Care</h1>\n<p>Wash <strong>cold</strong>, <em>gently</em>.<br>Then <a href="https://example.com/a?b=1&amp;c=2">read</a>.</p>\n<ul><li>one</li><li>two</li></ul>\n<p>Or:</p>\n<ol><li>first</li><li>second</li></ol>',
  );
  for (const hostile of [
    '<img src=x onerror=alert(1)>',
    '[x](https://a"onclick=alert(1))',
    '**<b>**',
    '`</code><script>`',
  ])
    assert.doesNotMatch(
      pageHtmlOf(hostile).replaceAll(/<\/?(?:p|strong|em|code)>|<a href="[^"<>]*">|<\/a>/g, ''),
      /<|"\s*onclick=/,
    );
});
