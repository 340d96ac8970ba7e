import type { Json, Shop } from '@steward/conformance/world';
import type { Round } from './fill.ts';
import { hostileTexts, type Shape } from './hostile.ts';

/** What a tenant has, so that what is asked of it goes further than to its being there. */
export interface Furniture {
  readonly known: Round['known'];
  /** Names of the form's fields, one of each type and mapped to a contact's field of each type. */
  readonly fields: readonly string[];
  readonly formId: string;
}

/** Calls a tool; its data. */
type Call = (name: string, args: Readonly<Record<string, unknown>>) => Promise<Json>;

const texts = Object.values(hostileTexts);

/** @param shapeOf the arguments of a tool, by which types of fields there are is known */
export async function furnish(call: Call, shop: Shop, shapeOf: (tool: string) => Shape): Promise<Furniture> {
  const typesOf = (shape: Shape | undefined): string[] => (shape?.enum as string[] | undefined) ?? [];
  const contactTypes = typesOf(shapeOf('service_define_contact_field').properties?.['type']);
  const formTypes = typesOf(shapeOf('service_create_form').properties?.['fields']?.items?.properties?.['type']);
  const choices = { options: Array.from({ length: 100 }, (_one, at) => ({ value: `o${at}`, label: `Option ${at}` })) };
  const chosen = (type: string): object => (/select|radio/.test(type) ? choices : {});
  for (const type of contactTypes)
    await call('service_define_contact_field', { key: `c_${type}`, type, ...chosen(type) });
  const fields = [
    ...['email', 'phone', 'name'].map((name) => ({ name, label: name, type: 'text', maps_to: name })),
    ...contactTypes.map((type) => {
      const shown = type === 'multiselect' || type === 'select' ? type : 'text';
      return { name: `c_${type}`, label: type, type: shown, maps_to: `c_${type}`, ...chosen(shown) };
    }),
    ...formTypes.map((type) => ({ name: `f_${type}`, label: type, type, ...chosen(type) })),
  ];
  const { form } = await call('service_create_form', {
    site_id: shop.siteId,
    name: 'Everything',
    fields,
    target_entity_type: 'crm_contact',
  });
  const formId = String(form?.['id']);
  await call('service_publish_form', { form_id: formId });
  const { contact } = await call('service_upsert_contact', { email: 'known@example.com', name: 'Known' });
  const { party } = await call('service_create_party', { name: 'Ada', customer: true, supplier: true });
  const { tax_rate } = await call('service_create_tax_rate', { name: 'VAT', percentage: '20' });
  const line = { description: 'x', unit_price: '10.00', account: '4000' };
  const { document } = await call('service_create_invoice', {
    party_id: party?.['id'],
    issue_date: '2026-03-02',
    lines: [line],
  });
  await call('service_import_bank_statement', {
    account: '1000',
    format: 'csv',
    content: 'date,amount,description\n2026-03-03,-30.01,Fee\n2026-03-03,30.00,Ada\n',
  });
  const { lines } = await call('service_list_bank_lines', { account: '1000' });
  const { accounts } = await call('service_list_accounts', {});
  const ids: Readonly<Record<string, unknown>> = {
    contactid: contact?.['id'],
    partyid: party?.['id'],
    documentid: document?.['id'],
    targetid: document?.['id'],
    invoiceid: document?.['id'],
    taxid: tax_rate?.['id'],
    lineid: (lines as unknown as Json[])[0]?.['id'],
    accountid: (accounts as unknown as Json[])[0]?.['id'],
    account: '1000',
    siteid: shop.siteId,
    formid: formId,
    currency: 'USD',
    targetkind: 'document',
    targetentitytype: 'crm_contact',
    country: 'DE',
    defaultcountry: 'DE',
    origins: ['https://shop.example'],
  };
  const values = contactTypes.map((type) => `c_${type}`);
  return {
    formId,
    fields: fields.map(({ name }) => name),
    known: {
      ...Object.fromEntries(Object.entries(ids).map(([name, value]) => [name, () => value])),
      // Nothing is to be changed, only looked at as if.
      preview: () => true,
      idempotencykey: () => undefined,
      version: () => undefined,
      revision: () => undefined,
      expectedversion: () => undefined,
      cursor: () => undefined,
      // Two sides of one line.
      debit: (at) => (at % 2 === 0 ? '0.01' : undefined),
      credit: (at) => (at % 2 === 0 ? undefined : '0.01'),
      unitprice: () => '0.01',
      quantity: () => '1',
      amount: () => '0.01',
      category: (at) => (at === 0 ? 'standard' : `c${at}`),
      custom: (_at, turn) => {
        const key = values[turn % values.length] ?? '';
        return { [key]: texts[Math.floor(turn / values.length) % texts.length]?.(60_000) };
      },
    },
  };
}
