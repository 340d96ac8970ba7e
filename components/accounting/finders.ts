import { afterAll, type Finder, mostLookedThrough, says, type Sought } from '@steward/access';
import { statement, type Statement } from '@steward/sql';
import { listAccounts } from './accounts/list.ts';
import { listLines } from './bank/list-lines.ts';
import { type DocumentKind, documentKinds, natures } from './documents/kind.ts';
import { listDocuments } from './documents/list.ts';
import { listEntries } from './journal/list.ts';
import { listParties } from './parties/list.ts';
import { listPayments } from './payments/list.ts';

/** SQL: a number as people read it (`numberOf`). */
const shownNumber = (prefix: string, number: string): string =>
  `${prefix} || '-' || lpad(${number}::text, greatest(5, length(${number}::text)), '0')`;

const prefixOf = `case d.kind ${documentKinds.map((kind) => `when '${kind}' then '${natures[kind].prefix}'`).join(' ')} end`;

/** Of which kinds a number may be: each has numbers of its own. */
const kindsOf = ({ prefix }: { readonly prefix: string }): readonly DocumentKind[] =>
  prefix === '' ? documentKinds : documentKinds.filter((kind) => natures[kind].prefix === prefix);

function documentsOf({ tenant, text, number, limit }: Sought): readonly Statement[] {
  const shown = (from: string, exact: boolean): string =>
    `select d.document_id as id, coalesce(${shownNumber(prefixOf, 'd.number')}, d.supplier_number, d.reference, '') as title,
       concat_ws(' · ', t.name, d.supplier_number, d.reference) as line, d.total as minor, d.currency, d.issue_date::text as day, ${String(exact)} as exact
     from ${from} join accounting.party t on t.tenant_id = d.tenant_id and t.party_id = d.party_id`;
  const kinds = number === undefined ? [] : kindsOf(number);
  const numbered = statement(
    shown(
      `(select * from accounting.document where tenant_id = $1::uuid and kind = any ($2::text[]) and number = $3::bigint limit $4::int) d`,
      true,
    ),
    [tenant, kinds, number?.digits, limit],
  );
  const latest = `select * from accounting.document where tenant_id = $1::uuid order by created_at desc, document_id desc limit ${mostLookedThrough}`;
  const named = statement(
    shown(
      `(select d.* from (${latest}) d where ${says(['d.supplier_number', 'd.reference'], '$2')} limit $3::int) d`,
      false,
    ),
    [tenant, text, limit],
  );
  return kinds.length === 0 ? [named] : [numbered, named];
}

/** What people look for in the books. */
export const finders: readonly Finder[] = [
  { kind: 'document', lists: listDocuments, statements: documentsOf },
  {
    kind: 'payment',
    lists: listPayments,
    statements: ({ tenant, number, limit }) =>
      number === undefined || !['', 'PAY'].includes(number.prefix)
        ? []
        : [
            statement(
              `select y.payment_id as id, ${shownNumber(`'PAY'`, 'y.number')} as title, concat_ws(' · ', t.name, y.reference) as line,
                 y.amount as minor, y.currency, y.date::text as day, true as exact
               from accounting.payment y join accounting.party t on t.tenant_id = y.tenant_id and t.party_id = y.party_id
               where y.tenant_id = $1::uuid and y.number = $2::bigint limit $3::int`,
              [tenant, number.digits, limit],
            ),
          ],
  },
  {
    kind: 'party',
    lists: listParties,
    statements: ({ tenant, text, limit }) => {
      const found = (where: string, values: readonly unknown[]): Statement =>
        statement(
          `select t.party_id as id, t.name as title, t.email as line from (${where}) t where t.archived_at is null limit $2::int`,
          [tenant, limit, ...values],
        );
      const beginning = (key: string): Statement =>
        found(
          `select * from accounting.party where tenant_id = $1::uuid and ${key} >= $3 and ${key} < $4 order by ${key} limit ${mostLookedThrough}`,
          [text, afterAll(text)],
        );
      const latest = `select * from accounting.party where tenant_id = $1::uuid order by party_id desc limit ${mostLookedThrough}`;
      return [
        beginning('name_key'),
        beginning('email_key'),
        found(`select * from (${latest}) p where ${says(['p.name'], '$3')}`, [text]),
      ];
    },
  },
  {
    kind: 'account',
    lists: listAccounts,
    statements: ({ tenant, text, limit }) => [
      statement(
        `select a.account_id as id, a.code || ' ' || a.name as title, a.code as within, a.code = $2 as exact
         from (select * from accounting.account where tenant_id = $1::uuid order by code limit ${mostLookedThrough}) a
         where a.archived_at is null and (starts_with(lower(a.code), $2) or ${says(['a.name'], '$2')}) limit $3::int`,
        [tenant, text, limit],
      ),
    ],
  },
  {
    kind: 'journal_entry',
    lists: listEntries,
    statements: ({ tenant, number, limit }) =>
      number?.prefix !== ''
        ? []
        : [
            statement(
              `select e.entry_id as id, e.number::text as title, e.narration as line, e.posting_date::text as day, true as exact
               from accounting.entry e where e.tenant_id = $1::uuid and e.number = $2::bigint limit $3::int`,
              [tenant, number.digits, limit],
            ),
          ],
  },
  {
    kind: 'bank_line',
    lists: listLines,
    statements: ({ tenant, text, amounts, limit }) => {
      const shown = (from: string, exact: boolean, where = 'true'): string =>
        `select l.line_id as id, coalesce(nullif(l.counterparty, ''), nullif(l.description, ''), a.name) as title,
           concat_ws(' · ', a.name, l.reference, l.description) as line, l.amount as minor, a.currency, l.day::text as day, a.code as within, ${String(exact)} as exact
         from (${from}) l join accounting.account a on a.tenant_id = l.tenant_id and a.account_id = l.account_id where ${where}`;
      const latest = `select * from accounting.bank_line where tenant_id = $1::uuid order by line_id desc limit ${mostLookedThrough}`;
      const said = statement(
        shown(
          `select * from (${latest}) l where l.withdrawn_at is null and (${says(['l.counterparty', 'l.description', 'l.reference'], '$2')}) limit $3::int`,
          false,
        ),
        [tenant, text, limit],
      );
      if (amounts === undefined) return [said];
      const wanted = amounts.flatMap((one) => (one === null || one === '0' ? [] : [one, `-${one}`]));
      const priced = statement(
        `${shown(
          `select * from accounting.bank_line where tenant_id = $1::uuid and amount = any ($2::bigint[]) and withdrawn_at is null limit ${mostLookedThrough}`,
          true,
          // The same digits are another amount in another currency.
          'abs(l.amount) = ($3::bigint[])[1 + accounting.minor_digits(a.currency)]',
        )} order by l.day desc limit $4::int`,
        [tenant, wanted, amounts, limit],
      );
      return [priced, said];
    },
  },
];
