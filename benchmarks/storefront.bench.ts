import { fork, type ChildProcess } from 'node:child_process';
import { readSubmitted } from '@steward/commerce';
import { newId } from '@steward/kernel';
import { openPool, sql, type SqlPool } from '@steward/sql';
import { createTestDatabase } from '@steward/testing';
import { type Bench, interleave, type Row, sized } from './report.ts';
import { messageOf } from './child.ts';
import { openCommerce, sources, type Shop } from './storefront/commerce.ts';
import { drive } from './tools/drive.ts';

const rounds = sized(7);
const callers = 32;
const submissions = sized(600, 64);
/** As `npm start` runs Node. What it chooses by itself depends on what a process did while it began. */
const asStarted = ['--max-semi-space-size=8'];
/** So many that a round is half a second: in a tenth of one, compiling and collecting is most of what is measured. */
const requests = sized(30_000, 500);
const connections = 32;

type Commerce = Awaited<ReturnType<typeof openCommerce>>;

export default {
  name: 'The storefront: a form read and submitted',
  run: async () => {
    await using db = await createTestDatabase(sources);
    const commerce = await openCommerce(db.appUrl);
    await using admin = openPool({ url: db.adminUrl, size: 16 });
    // First, while the database has nothing to clean up: it would take one of the machine's cores from the readers.
    const read = await reading(commerce, db.appUrl);
    const submitted = await submitting(commerce, admin);
    await commerce.close();
    return [...read, ...submitted];
  },
} satisfies Bench;

const values = (n: number) => ({
  email: `visitor-${n}-${newId()}@example.com`,
  ...Object.fromEntries(Array.from({ length: 7 }, (_one, at) => [`field_${at + 1}`, `value ${at} of ${n}`])),
});

/** Calls a second with so many callers at once. */
async function rate(one: (n: number) => Promise<unknown>): Promise<number> {
  let next = 0;
  const began = performance.now();
  await Promise.all(
    Array.from({ length: callers }, async () => {
      while (next < submissions) await one(next++);
    }),
  );
  return submissions / ((performance.now() - began) / 1000);
}

async function submitting(commerce: Commerce, admin: SqlPool): Promise<Row[]> {
  const many = async (mapped: boolean): Promise<Shop[]> =>
    Promise.all(Array.from({ length: 64 }, async () => commerce.open(mapped)));
  const [plain, mapped] = [await many(false), await many(true)];
  const [alone, aloneMapped] = [await commerce.open(false), await commerce.open(true)];
  const through = (shops: readonly Shop[]) => async () =>
    rate(async (n) => {
      const { key, formId } = shops[n % shops.length] ?? alone;
      return commerce.submit({ key, formId, submitted: readSubmitted({ data: values(n) }), requestId: newId() });
    });
  const insert = async (n: number) => {
    const { key, formId } = plain[n % plain.length] ?? alone;
    await admin.query(sql`
      insert into commerce.submission (tenant_id, submission_id, form_id, form_version, site_id, key_id, mode, contact_id, data)
      values (${key.tenant}::uuid, ${newId()}::uuid, ${formId}::uuid, ${1}::int, ${key.siteId}::uuid, ${key.keyId}::uuid,
        ${key.mode}, ${null}::uuid, ${JSON.stringify(values(n))})`);
  };
  const contestants = {
    insert: async () => rate(insert),
    manyPlain: through(plain),
    onePlain: through([alone]),
    manyMapped: through(mapped),
    oneMapped: through([aloneMapped]),
  };
  for (const contestant of Object.values(contestants)) await contestant();
  const measured = await interleave(rounds, contestants);
  const row = (name: string, of: keyof typeof contestants, bar?: Row['bar']): Row => ({
    name,
    ratio: measured[of] / measured.insert,
    ...(bar === undefined ? {} : { bar }),
    detail: `${Math.round(measured[of])} against ${Math.round(measured.insert)} a second, ${callers} callers`,
  });
  return [
    row('submit against one plain insert of the row, many tenants', 'manyPlain', { atLeast: 0.5 }),
    row('submit against one plain insert of the row, one tenant', 'onePlain', { atLeast: 0.5 }),
    row('submit that makes a contact, against the same, many tenants', 'manyMapped'),
    row('submit that makes a contact, against the same, one tenant', 'oneMapped'),
  ];
}

async function reading(commerce: Commerce, databaseUrl: string): Promise<Row[]> {
  const shop = await commerce.open(true);
  const ours = fork(new URL('storefront/serve.ts', import.meta.url), { execArgv: asStarted });
  const bare = fork(new URL('storefront/bare.ts', import.meta.url), { execArgv: asStarted });
  const started = async (child: ChildProcess, setup: object): Promise<number> => {
    child.send(setup);
    const { port } = await messageOf<{ port: number }>(child);
    return port;
  };
  const asked = { origin: 'https://shop.example', 'x-service-sdk-key': shop.text };
  const path = `/commerce/storefront/v1/forms/${shop.formId}/schema`;
  const port = await started(ours, { databaseUrl });
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers: asked });
  const text = await answer.text();
  const barePort = await started(bare, { text, fields: Object.fromEntries(fieldsOf(answer)) });
  const served = (at: number, where: string) => {
    const request = get(at, where, asked);
    return async (): Promise<number> => {
      const began = performance.now();
      await drive(at, connections, requests, () => request);
      return requests / ((performance.now() - began) / 1000);
    };
  };
  const contestants = {
    steward: served(port, path),
    same: served(barePort, `/forms/${shop.formId}/schema`),
    body: served(barePort, `/forms/${shop.formId}/body`),
  };
  for (const contestant of Object.values(contestants)) await contestant();
  const measured = await interleave(rounds, contestants);
  ours.disconnect();
  bare.disconnect();
  const row = (name: string, of: 'same' | 'body', bar?: Row['bar']): Row => ({
    name,
    ratio: measured.steward / measured[of],
    ...(bar === undefined ? {} : { bar }),
    detail: `${Math.round(measured.steward)} against ${Math.round(measured[of])} requests a second, ${text.length} bytes of body`,
  });
  return [
    row('a form’s schema, warm, against a bare Fastify handler of the same bytes', 'same', { atLeast: 0.8 }),
    row('the same, against a bare handler of its body with no fields of ours', 'body'),
  ];
}

/** Without those that Node writes by itself. */
const fieldsOf = ({ headers }: Response): [string, string][] =>
  [...headers].filter(([name]) => !['date', 'connection', 'keep-alive', 'content-length'].includes(name));

function get(port: number, path: string, headers: Readonly<Record<string, string>>): Buffer {
  const lines = Object.entries({ host: `127.0.0.1:${port}`, ...headers });
  return Buffer.from(`GET ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`);
}
