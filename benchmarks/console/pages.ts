import type { Looked, Seeded } from '@steward/console-app/fixtures';

type Page = Looked['page'];

// What a browser takes for the pages of the console. Milliseconds, by the clock of the page.

/** Kilobits a second and milliseconds of a round trip: a phone where the network is poor. */
const slow = { kilobits: 1_600, latency: 150 };
/** Where the rail leads, each to screens whose script is loaded when somebody goes there. */
const sections = ['approvals', 'money', 'people', 'forms', 'commerce', 'activity', 'agents', 'developers', 'settings'];

/** Everything is asked for anew, and nothing is counted beside it: coverage slows scripts down. */
async function afresh({ page }: Looked) {
  await page.coverage.stopJSCoverage();
  await page.goto('about:blank');
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Network.enable');
  await devtools.send('Network.clearBrowserCache');
  return devtools;
}

/** As `looked.go`, without counting. */
async function visit({ page }: Looked, { origin, tenant }: Seeded, path = ''): Promise<void> {
  await page.goto(`${origin}/o/${tenant}${path}`);
  await settled(page);
}

async function settled(page: Page): Promise<void> {
  await page.locator('main h1').waitFor();
  await page.waitForFunction(() => document.querySelector('[role=status][aria-label]') === null);
}

export type Hindrance = 'slow machine' | 'slow network';

/** The largest contentful paint of Home, all of it loaded: to a machine at a quarter of its speed, or over a poor network. */
export async function firstVisit(seeded: Seeded, hindrance: Hindrance): Promise<number> {
  await using looked = await seeded.open();
  const { page } = looked;
  const devtools = await afresh(looked);
  if (hindrance === 'slow machine') await devtools.send('Emulation.setCPUThrottlingRate', { rate: 4 });
  else {
    const bytes = (slow.kilobits * 1_000) / 8;
    await devtools.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: slow.latency,
      downloadThroughput: bytes,
      uploadThroughput: bytes,
    });
  }
  await visit(looked, seeded);
  await page.waitForTimeout(500);
  return await page.evaluate(
    async () =>
      new Promise<number>((resolve) => {
        new PerformanceObserver((list) => resolve(list.getEntries().at(-1)?.startTime ?? Number.NaN)).observe({
          type: 'largest-contentful-paint',
          buffered: true,
        });
      }),
  );
}

export interface Changes {
  readonly fetched: readonly number[];
  readonly cached: readonly number[];
}

/** From a click on the rail until the screen is there with what it reads: every section for the first time, and once more. */
export async function changes(seeded: Seeded): Promise<Changes> {
  await using looked = await seeded.open();
  const { page } = looked;
  await afresh(looked);
  await visit(looked, seeded);
  const round = async (): Promise<number[]> => {
    const took: number[] = [];
    for (const section of sections) {
      await page.waitForTimeout(200);
      took.push(await change(page, `/o/${seeded.tenant}/${section}`));
    }
    return took;
  };
  return { fetched: await round(), cached: await round() };
}

const change = async (page: Page, to: string): Promise<number> =>
  page.evaluate(async (path) => {
    const frame = async (): Promise<unknown> => new Promise((resolve) => requestAnimationFrame(resolve));
    const before = document.querySelector('main h1');
    const from = performance.now();
    document.querySelector<HTMLAnchorElement>(`nav a[href="${path}"]`)?.click();
    do await frame();
    while (
      location.pathname !== path ||
      document.querySelector('main h1') === null ||
      document.querySelector('main h1') === before ||
      document.querySelector('[role=status][aria-label]') !== null
    );
    return performance.now() - from;
  }, to);

/** From the answer to a proposal of an agent until it stands on a Home that is open. */
export async function arrivals(seeded: Seeded, count: number): Promise<number[]> {
  const { world, tenant } = seeded;
  const agent = await world.token({ user: 'alice@example.com', agent: 'arrives' });
  await using looked = await seeded.open();
  await looked.go('/');
  const took: number[] = [];
  for (let turn = 0; turn < count; turn += 1) {
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

export interface Scrolled {
  /** Rows in the document, at most. */
  readonly rows: number;
  /** The longest task while the wheel turned. */
  readonly longest: number;
  /** From a key to the frame that shows what it did; 16 for whatever is faster, which browsers do not tell. */
  readonly keys: readonly number[];
  /** Megabytes that live on the heap afterwards. */
  readonly heap: number;
}

/** The whole log is read by the wheel and by keys, with pauses in which what is in sight is read. */
export async function scroll(seeded: Seeded, turns: number): Promise<Scrolled> {
  await using looked = await seeded.open();
  const { page } = looked;
  const devtools = await afresh(looked);
  await page.addInitScript(() => {
    const kept = { longest: 0, rows: 0, keys: [] as number[] };
    Object.assign(globalThis, { kept });
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) kept.longest = Math.max(kept.longest, duration);
    }).observe({ type: 'longtask' });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as PerformanceEventTiming[])
        if (entry.name === 'keydown') kept.keys.push(entry.duration);
    }).observe({ type: 'event', durationThreshold: 16 } as PerformanceObserverInit);
  });
  await visit(looked, seeded, '/activity');
  await page.locator('main ol > li a').first().waitFor();
  await page.mouse.move(600, 500);
  await page.evaluate(() => {
    const { kept } = globalThis as unknown as { kept: Record<string, number> };
    kept['longest'] = 0;
    const count = (): void => {
      kept['rows'] = Math.max(kept['rows'] ?? 0, document.querySelectorAll('main ol > li').length);
      requestAnimationFrame(count);
    };
    count();
  });
  const inSight = async (): Promise<void> => {
    await page.waitForFunction(() => document.querySelector('main ol > li:not(:has(a))') === null);
  };
  for (let turn = 0; turn < turns; turn += 1) {
    for (let at = 0; at < 30; at += 1) {
      await page.mouse.wheel(0, 240);
      await page.waitForTimeout(16);
    }
    await inSight();
    await page.evaluate((part) => scrollTo(0, document.documentElement.scrollHeight * part), (turn + 1) / (turns + 1));
    await inSight();
  }
  type Kept = Pick<Scrolled, 'rows' | 'longest' | 'keys'>;
  const read = async (): Promise<Kept> => page.evaluate(() => (globalThis as unknown as { kept: Kept }).kept);
  const { rows, longest } = await read();
  const pressed = [
    'PageDown',
    'PageDown',
    'PageUp',
    'Tab',
    'Tab',
    'Shift+Tab',
    'ArrowDown',
    '/',
    'a',
    'c',
    't',
    'Escape',
  ];
  for (let turn = 0; turn < turns; turn += 1)
    for (const key of pressed) {
      await page.keyboard.press(key);
      await page.waitForTimeout(100);
    }
  const told = (await read()).keys;
  const keys = [...told, ...Array.from({ length: Math.max(0, turns * pressed.length - told.length) }, () => 16)];
  await devtools.send('HeapProfiler.collectGarbage');
  const { usedSize } = await devtools.send('Runtime.getHeapUsage');
  return { rows, longest, keys, heap: usedSize / 1_000_000 };
}

export interface Verified {
  readonly proof: number;
  readonly rows: number;
}

/** From the choice of a file until the page says what it found. */
export async function verify(seeded: Seeded, rows: number): Promise<Verified> {
  const { world, tenant, owner } = seeded;
  const headers = { authorization: `Bearer ${owner}`, 'x-tenant-id': tenant };
  const read = async (path: string): Promise<string> => {
    const answer = await fetch(`${world.server.addresses.accounting}/api/audit${path}`, { headers });
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
    return answer.text();
  };
  const exported = await read(`/export?format=jsonl&sequence_from=1&sequence_to=${rows}`);
  const { items } = JSON.parse(await read('/events?limit=1')) as { items: { id: string }[] };
  const receipt = await read(`/events/${items[0]?.id}/receipt`);
  const keys = JSON.parse(await read('/keys')) as { items: { verifier_key: string }[] };
  await using looked = await seeded.open();
  const { page } = looked;
  await afresh(looked);
  await visit(looked, seeded, '/activity/verify');
  await page.getByRole('textbox', { name: 'Public key' }).fill(keys.items[0]?.verifier_key ?? '');
  await page.getByRole('button', { name: 'Pin this key' }).click();
  const judged = async (name: string, text: string): Promise<number> => {
    await page.evaluate(() => {
      const input = document.querySelector<HTMLInputElement>('input[type=file]');
      const told = new Promise<number>((resolve) => {
        input?.addEventListener('change', () => {
          const from = performance.now();
          const look = (): void => {
            if (document.querySelector('[data-is]') === null) requestAnimationFrame(look);
            else resolve(performance.now() - from);
          };
          requestAnimationFrame(look);
        });
      });
      Object.assign(globalThis, { told });
    });
    await page.getByLabel('Files').setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(text) });
    const took = await page.evaluate(async () => (globalThis as unknown as { told: Promise<number> }).told);
    const is = await page.locator('[data-is]').getAttribute('data-is');
    if (is === 'broken' || is === null) throw new Error(`${name} was not verified: ${is}`);
    await visit(looked, seeded, '/activity/verify');
    return took;
  };
  return { proof: await judged('receipt.json', receipt), rows: await judged('all.jsonl', exported) };
}
