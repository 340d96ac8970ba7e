import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { newId } from '@steward/kernel';
import { createWorld, type World } from '../fixtures/letters.ts';
import { address, placing } from '../fixtures/world.ts';

let world: World;
before(async () => {
  world = await createWorld();
});
after(async () => world[Symbol.asyncDispose]());

const open = async (url: string, language = 'de'): Promise<{ response: Response; text: string }> => {
  const response = await fetch(url.replace('https://shop.example/commerce', world.base), {
    headers: { 'accept-language': language },
  });
  return { response, text: await response.text() };
};

test('the page of an order shows it to whoever has its link, in its language, and leaves no trace elsewhere', async () => {
  const tenant = await world.tenant();
  const shippingAddress = { ...address, name: '<script>alert(1)</script>' };
  const order = await world.place(tenant, placing([{ quantity: 2 }], { locale: 'de', mode: 'test', shippingAddress }));
  const { response, text } = await open(world.orders.orderPage(tenant, order.id));
  assert.equal(response.status, 200);
  const policy = response.headers.get('content-security-policy') ?? '';
  assert.match(policy, /default-src 'none'/);
  assert.ok(!/script-src|unsafe/.test(policy));
  assert.equal(response.headers.get('referrer-policy'), 'no-referrer');
  assert.match(response.headers.get('x-robots-tag') ?? '', /noindex/);
  assert.equal(response.headers.get('cache-control'), 'no-store');
  assert.match(text, /<html lang="de">/);
  for (const said of [
    'Bestellung TEST-1001',
    'TEST:',
    'Zahlung ausstehend',
    'Noch nicht versandt',
    '39,98',
    '<a href="https://fjord.example/returns?a=1&#38;b=2" rel="noreferrer">Rückgabe und Erstattung</a>',
    'Torstr. 1',
    'Deutschland',
  ])
    assert.ok(text.includes(said), said);
  assert.ok(!text.includes('<script'), 'what was typed is text');
});

test('the page of an order shows the logo of its brand from where the page itself is served', async () => {
  const tenant = await world.tenant();
  const { id } = await world.place(tenant, placing([{}], { locale: 'de' }));
  const url = world.orders.orderPage(tenant, id);
  assert.ok(!(await open(url)).text.includes('<img'));
  world.show({ path: '/media/aa"b', width: 100, height: 160 });
  const { response, text } = await open(url);
  world.show(undefined);
  assert.match(
    text,
    /<img src="\.\.\/media\/aa&#34;b" alt="Logo von Fjord &#38; Bikes" width="50" height="80" class="logo" \/>/,
  );
  assert.match(response.headers.get('content-security-policy') ?? '', /img-src 'self';/);
});

test('the page of an order leads to what the books issued for it, by its own link alone', async () => {
  const tenant = await world.tenant();
  const [one, other] = [
    await world.place(tenant, placing([{}], { locale: 'de' })),
    await world.place(tenant, placing()),
  ];
  const url = world.orders.orderPage(tenant, one.id);
  const [invoice, note] = [newId(), newId()];
  world.issue([
    { id: invoice, kind: 'invoice', number: 'INV-00001' },
    { id: note, kind: 'credit_note', number: 'CN-00001' },
  ]);
  const { text } = await open(url);
  const links = [...text.matchAll(/<a href="([^"]*)">([^<]*)</g)].map(([, href = '', words]) => ({ href, words }));
  assert.deepEqual(
    links.map(({ words }) => words),
    ['Rechnung INV-00001 (PDF)', 'Gutschrift CN-00001 (PDF)'],
  );
  const at = new URL(links[0]?.href ?? '', url).href;
  const { response, text: bytes } = await open(at);
  assert.deepEqual(
    [response.status, bytes, response.headers.get('content-type'), response.headers.get('cache-control')],
    [200, '%PDF', 'application/pdf', 'no-store'],
  );
  assert.equal(response.headers.get('content-disposition'), 'inline; filename="INV-00001.pdf"');
  const others = world.orders.orderPage(tenant, other.id).split('t=')[1] ?? '';
  for (const wrong of [
    at.replace(/t=.*/, `t=${others}`),
    at.replace(/\?.*/, ''),
    at.replace(invoice, newId()),
    at.replace(invoice, 'x'),
  ])
    assert.equal((await open(wrong)).response.status, 404, wrong);
  world.issue([]);
});

test('without the right link there is nothing, whatever exists', async () => {
  const tenant = await world.tenant();
  const [one, other] = [await world.place(tenant, placing()), await world.place(tenant, placing())];
  const right = world.orders.orderPage(tenant, one.id);
  const token = right.split('t=')[1] ?? '';
  const answers = await Promise.all(
    [
      right.replace(/t=.*/, ''),
      right.replace('t=', 't=x'),
      `${right}&t=${token}`,
      right.slice(0, -1),
      world.orders.orderPage(tenant, other.id).replace(/t=.*/, `t=${token}`),
      world.orders.orderPage(newId(), one.id),
      world.orders.orderPage(tenant, newId()),
      right.replace(one.id, 'nothing'),
    ].map(async (url) => open(url, 'ja,en;q=0.5')),
  );
  for (const { response, text } of answers) {
    assert.equal(response.status, 404);
    assert.match(text, /<html lang="ja">/);
  }
  assert.equal(new Set(answers.map(({ text }) => text)).size, 1, 'all the same');
});
