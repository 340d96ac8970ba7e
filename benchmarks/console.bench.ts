import { createProcessWorld, createVisitor } from '@steward/conformance/world';
import { openSeeded, type Looked, type Seeded } from '@steward/console-app/fixtures';
import { type Bench, interleave, median, type Row, sized } from './report.ts';

const rounds = sized(9);
const asks = sized(150, 3);
const visits = sized(7);
const owner = 'owner@example.com';

export default {
  name: 'The console: what its backend costs a request, and what a page takes in a browser',
  run: async () => [...(await backend()), ...((process.env['CHROMIUM_PATH'] ?? '') === '' ? [] : await pages())],
} satisfies Bench;

/** The same request, of a page by its cookie and of a program by its token, one after the other. */
async function backend(): Promise<Row[]> {
  await using world = await createProcessWorld();
  const { portal } = world.server.addresses;
  const { tenant } = await world.signUp(owner);
  const visitor = createVisitor(new URL(portal).origin);
  await visitor.signIn(owner);
  const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const token = await world.token({ user: owner });
  const byCookie = `${new URL(portal).origin}/console/api/o/${tenant}/portal/api/members`;
  const byToken = `${portal}/api/members`;
  const measured = await interleave(rounds, {
    page: async () => repeat(byCookie, { cookie, 'sec-fetch-site': 'same-origin' }),
    program: async () => repeat(byToken, { authorization: `Bearer ${token}`, 'x-tenant-id': tenant }),
  });
  return [
    {
      name: 'a read of the API by a page, against the same by a token',
      ratio: measured.page / measured.program,
      bar: { atMost: 2 },
      detail: `${measured.page.toFixed(2)} and ${measured.program.toFixed(2)} ms`,
    },
  ];
}

async function repeat(url: string, headers: Record<string, string>): Promise<number> {
  const from = performance.now();
  for (let turn = 0; turn < asks; turn += 1) {
    const answer = await fetch(url, { headers });
    if (answer.status !== 200) throw new Error(`${url} answered ${answer.status}: ${await answer.text()}`);
    await answer.arrayBuffer();
  }
  return (performance.now() - from) / asks;
}

/** As somebody with a slow machine sees it: Chromium at a quarter of its speed. Ratios are to the budgets of the console. */
async function pages(): Promise<Row[]> {
  await using seeded = await openSeeded();
  const cold: number[] = [];
  const requests: number[] = [];
  const changes: number[] = [];
  for (let turn = 0; turn < visits; turn += 1) {
    await using looked = await seeded.open();
    const visit = await slowVisit(seeded, looked);
    cold.push(visit.painted);
    requests.push(visit.requests);
    changes.push(visit.changed);
  }
  const arrivals = await arriving(seeded);
  const row = (name: string, values: readonly number[], budget: number, unit: string): Row => ({
    name,
    ratio: median(values) / budget,
    bar: { atMost: 1 },
    detail: `${median(values).toFixed(0)} ${unit}, of ${budget}`,
  });
  return [
    row('largest contentful paint of Home at 4× slow-down', cold, 1_000, 'ms'),
    row('requests to it', requests, 8, 'requests'),
    row('to a page that was seen before', changes, 100, 'ms'),
    row('from the answer to a proposal until it stands on a Home that is open', arrivals, 1_000, 'ms'),
  ];
}

/** An agent proposes what takes a person, while somebody looks at Home. */
async function arriving(seeded: Seeded): Promise<number[]> {
  const { world, tenant } = seeded;
  const agent = await world.token({ user: 'alice@example.com', agent: 'arrives' });
  await using looked = await seeded.open();
  await looked.go('/');
  const took: number[] = [];
  for (let turn = 0; turn < visits; turn += 1) {
    const args = { url: `https://example.com/${turn}`, types: ['crm.contact.created'] };
    const { body } = await world.call(`${world.server.addresses.mcp}/p/portal`, {
      token: agent,
      tenant,
      body: {
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'service_create_webhook', arguments: args },
      },
    });
    const from = performance.now();
    const id = String(body['result']?.['structuredContent']?.['pending_action_id']);
    await looked.page.locator(`main a[href$="${id}"]`).waitFor();
    took.push(performance.now() - from);
  }
  return took;
}

async function slowVisit(
  { origin, tenant }: Seeded,
  { page, go }: Looked,
): Promise<{ readonly painted: number; readonly requests: number; readonly changed: number }> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Network.clearBrowserCache');
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: 4 });
  let requests = 0;
  const count = (): void => void (requests += 1);
  page.on('request', count);
  await page.goto(`${origin}/o/${tenant}`);
  await page.locator('h1').first().waitFor();
  page.off('request', count);
  const painted = await page.evaluate(
    async () =>
      new Promise<number>((resolve) => {
        new PerformanceObserver((list) => resolve(list.getEntries().at(-1)?.startTime ?? Number.NaN)).observe({
          type: 'largest-contentful-paint',
          buffered: true,
        });
      }),
  );
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: 1 });
  await go('/settings');
  await page.locator('nav a').first().click();
  await page.waitForURL((url) => url.pathname.endsWith(tenant));
  const changed = await page.evaluate(async () => {
    const link = document.querySelector<HTMLAnchorElement>('nav a[href$="/settings"]');
    const before = document.querySelector('h1')?.textContent;
    const from = performance.now();
    link?.click();
    while (document.querySelector('h1')?.textContent === before)
      await new Promise((resolve) => requestAnimationFrame(resolve));
    return performance.now() - from;
  });
  return { painted, requests, changed };
}
