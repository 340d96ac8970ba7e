import { newId } from '@steward/kernel';
import { sql, type TenantTransaction } from '@steward/sql';
import { event } from '../events.ts';
import { contentOf } from '../contents.ts';
import { documentLanguage } from '../documents/words.ts';
import { chartOf, templateOf } from './template.ts';

export interface OpeningFacts {
  readonly persona: string;
  /** ISO 4217. */
  readonly defaultCurrency: string;
  /** 1–12. */
  readonly fiscalYearStartMonth: number;
  /** Of documents; one that they are not written in is English. */
  readonly language?: string | undefined;
  readonly causalId: string;
}

/** Opens a new tenant's books in its signup's transaction: base currency, fiscal year, chart of accounts and language of documents. */
export async function openBooks(tx: TenantTransaction, facts: OpeningFacts): Promise<void> {
  const { tenant } = tx.context;
  const template = templateOf(facts.persona);
  const accounts = chartOf(template, facts.defaultCurrency).map((account) => ({ ...account, account_id: newId() }));
  await tx.query(sql`
    insert into accounting.book (tenant_id, base_currency, fiscal_year_start_month, template)
    values (${tenant}::uuid, ${facts.defaultCurrency}, ${facts.fiscalYearStartMonth}::int, ${template})`);
  await tx.query(sql`
    insert into accounting.account (tenant_id, account_id, code, name, type, control, activity, currency)
    select ${tenant}::uuid, account_id, code, name, type, control, activity, ${facts.defaultCurrency}
    from json_to_recordset(${JSON.stringify(accounts)}::json) as a (account_id uuid, code text, name text, type text, control text, activity text)`);
  tx.record(
    event(
      'accounting.books.opened',
      {
        template,
        base_currency: facts.defaultCurrency,
        fiscal_year_start_month: facts.fiscalYearStartMonth,
        accounts: accounts.length,
        chart_sha256: await contentOf(tx, 'chart', tenant),
      },
      { causalId: facts.causalId },
    ),
  );
  const { data: language = 'en' } = documentLanguage.safeParse(facts.language);
  if (language === 'en') return;
  await tx.query(sql`insert into accounting.seller (tenant_id, language) values (${tenant}::uuid, ${language})`);
  tx.record(
    event(
      'accounting.seller.updated',
      { fields: ['language'], content_sha256: await contentOf(tx, 'seller', tenant) },
      { causalId: facts.causalId },
    ),
  );
}
