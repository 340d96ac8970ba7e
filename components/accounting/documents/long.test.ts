import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { TenantContext } from '@steward/sql';
import { tableCsv } from '../exports/write.ts';
import { tables } from '../exports/tables.ts';
import { documentOf, issued, newParty } from '../fixtures/documents.ts';
import { sampleDocument } from '../fixtures/sample-document.ts';
import { createWorld, refusal, type World } from '../fixtures/world.ts';
import { listEntries } from '../journal/list.ts';
import { recordEntry } from '../journal/record.ts';
import { mostLines } from '../lines.ts';
import { journalCsv } from '../reports/csv.ts';
import { createTax } from '../taxes/create.ts';
import { createDocument } from './create.ts';
import { listDocuments } from './list.ts';
import { inTurn, renderPdf } from './pdf/render.ts';
import { documentRoutes } from './routes.ts';
import { getDocument } from './get.ts';
import { voidDocument } from './void.ts';

type Guard = Parameters<typeof documentRoutes>[0];
type Asked = Parameters<ReturnType<typeof documentRoutes>[number]['handle']>[0];

describe('documents and entries of two thousand lines', () => {
  let world: World;
  let books: TenantContext;
  before(async () => {
    world = await createWorld();
    books = await world.tenant();
  });
  after(async () => world[Symbol.asyncDispose]());

  const count = async (rows: AsyncIterable<string>): Promise<number> => {
    let found = -1;
    for await (const _row of rows) found += 1;
    return found;
  };

  test('an invoice of so many is drafted, issued and voided, and lists and files go through several of them', async () => {
    const party = await newParty(books);
    const vat = (await createTax(books, { name: 'VAT 20', percentage: '20' })).id;
    const lines = Array.from({ length: mostLines }, (_, index) => ({
      description: `Position ${index}`,
      quantity: '1',
      unitPrice: '10.00',
      account: '4000',
      taxId: vat,
    }));
    const first = await issued(books, party, '', { lines });
    assert.deepEqual([first.total.amount, first.lines.length], ['24000.00', mostLines]);
    await createDocument(books, documentOf(party, '', { lines }));
    const short = await issued(books, party, '1.00');
    const seen: string[] = [];
    const sizes: number[] = [];
    for (let below: string | undefined; ;) {
      const page = await listDocuments(books, { limit: 200, cursor: below, lines: true });
      seen.push(...page.items.map(({ id }) => id));
      sizes.push(page.items.reduce((sum, one) => sum + one.lines.length, 0));
      if (page.nextCursor === null) break;
      below = page.nextCursor;
    }
    assert.deepEqual([new Set(seen).size, seen.length, seen[0]], [3, 3, short.id]);
    assert.ok(Math.max(...sizes) < 2 * mostLines, sizes.join(', '));
    const bare = await listDocuments(books, { limit: 200, lines: false });
    assert.deepEqual([bare.items.map(({ lines: of }) => of.length), bare.nextCursor], [[0, 0, 0], null]);
    assert.equal(await count(tableCsv(books, tables.documents)), 2 * mostLines + 1);
    const { document } = await voidDocument(books, { id: first.id, version: first.version, date: '2026-03-20' });
    assert.equal(document.status, 'void');
    assert.equal(
      await refusal(createDocument(books, documentOf(party, '', { lines: [...lines, ...lines.slice(0, 1)] }))),
      'document_invalid',
    );
  });

  test('a payroll journal of so many is posted, listed and written out', async () => {
    const lines = Array.from({ length: mostLines - 1 }, (_, index) => ({
      account: index % 2 === 0 ? '6100' : '6900',
      debit: '1.00',
      memo: `Employee ${index}`,
    }));
    const other = await world.tenant();
    const post = async () =>
      recordEntry(other, {
        date: '2026-03-31',
        currency: 'EUR',
        narration: 'Payroll',
        lines: [...lines, { account: '1000', credit: `${mostLines - 1}.00` }],
      });
    const entry = await post();
    assert.equal(entry.lines.length, mostLines);
    await post();
    const first = await listEntries(other, { lines: true, limit: 200 });
    assert.deepEqual([first.items.length, first.nextCursor], [2, '1']);
    await post();
    const pages = [];
    for (let below: string | undefined; ;) {
      const page = await listEntries(other, { lines: true, limit: 200, cursor: below });
      pages.push(page.items.length);
      if (page.nextCursor === null) break;
      below = page.nextCursor;
    }
    const bare = await listEntries(other, { lines: false, limit: 200 });
    assert.deepEqual([bare.items.map(({ lines: of }) => of.length), bare.nextCursor], [[0, 0, 0], null]);
    assert.equal(
      pages.reduce((sum, size) => sum + size, 0),
      3,
    );
    assert.ok(Math.max(...pages) <= 2, pages.join(', '));
    assert.equal(await count(journalCsv(other, { from: '2026-03-01', to: '2026-03-31' })), 3 * mostLines);
  });

  test('a PDF of so many lines is drawn while the thread that answers is free', async () => {
    const [line] = sampleDocument().lines;
    assert.ok(line !== undefined);
    const sheet = {
      document: sampleDocument({ lines: Array.from({ length: mostLines }, () => line), partyName: 'Ἀθηνᾶ' }),
      seller: 'Me',
    };
    const spent = ({ user, system }: NodeJS.CpuUsage): number => user + system;
    const [whole, own] = [process.cpuUsage(), process.threadCpuUsage()];
    const bytes = await renderPdf(sheet);
    const share = spent(process.threadCpuUsage(own)) / spent(process.cpuUsage(whole));
    assert.equal(bytes.toString('latin1', 0, 5), '%PDF-');
    assert.ok(share < 0.3, `${share} of the work was on the thread that answers`);
  });

  test('PDFs that are asked for at once are read and drawn one after the other, tenants take turns, and so many of one wait', async () => {
    // Of a draft the present name is asked for.
    const { id } = await createDocument(books, documentOf(await newParty(books), '1.00'));
    const gate = Promise.withResolvers<string>();
    const first = Promise.withResolvers<undefined>();
    let named = 0;
    const [pdf] = documentRoutes({} as Guard, {
      organizationName: async () => {
        named += 1;
        first.resolve(undefined);
        return gate.promise;
      },
    });
    const ask = async (left = new AbortController().signal) =>
      pdf?.handle({
        guard: { context: books },
        params: { invoiceId: id },
        request: { signal: left },
      } as unknown as Asked);
    const answers = [1, 2, 3].map(async () => ask());
    const { signal } = new AbortController();
    const after = inTurn('another tenant', signal, async () => named);
    await first.promise;
    const left = new AbortController();
    const gone = ask(left.signal);
    const more = Array.from({ length: 13 }, async () => ask());
    await assert.rejects(ask(), { code: 'rate_limited', status: 429 });
    left.abort(new Error('gone'));
    await assert.rejects(gone, /gone/);
    const late = ask();
    // Each of them would have been read by now.
    for (let read = 0; read < 20; read += 1) await getDocument(books, { id });
    assert.equal(named, 1);
    gate.resolve('Me');
    const all = await Promise.all([...answers, ...more, late]);
    assert.ok(all.every((answer) => answer?.status === 200));
    assert.deepEqual([await after, named], [1, 17], 'whoever went away had no turn');
  });

  test('a PDF that needs more memory than it may have is refused with a word on how to mend it, and one that nobody waits for is not drawn on', async () => {
    const [line] = sampleDocument().lines;
    assert.ok(line !== undefined);
    const description = 'x\n'.repeat(80);
    const lines = Array.from({ length: mostLines }, () => ({ ...line, description }));
    const huge = { document: sampleDocument({ lines }), seller: 'Me' };
    await assert.rejects(renderPdf(huge), { code: 'pdf_too_long', status: 422 });
    const left = new AbortController();
    const gone = renderPdf(huge, left.signal);
    const spent = process.cpuUsage();
    left.abort(new Error('gone'));
    await assert.rejects(gone, /gone/);
    assert.ok((await renderPdf({ document: sampleDocument(), seller: 'Me' })).length > 1000);
    const { user } = process.cpuUsage(spent);
    assert.ok(user < 8_000_000, `${user} microseconds: it was drawn on`);
    await assert.rejects(renderPdf(huge, left.signal), /gone/);
  });

  test('a PDF that cannot be drawn is refused, and the next one is drawn', async () => {
    await assert.rejects(async () =>
      renderPdf({ document: sampleDocument({ createdAt: 'never', issuedAt: null }), seller: 'Me' }),
    );
    assert.ok((await renderPdf({ document: sampleDocument(), seller: 'Me' })).length > 1000);
  });
});
