import type { Route } from '@steward/contract';
import type { Identity } from '@steward/identity';
import type { Addresses } from '@steward/kernel';
import type { Catalogue } from '@steward/tools';
import type { PersonPorts } from './contacts/person.ts';
import { contactRoutes } from './contacts/routes.ts';
import { schemaRoutes } from './schema/routes.ts';
import { crmTools as tools } from './tools.ts';

export const name = 'crm';
export { tools };
export { crmNouns as nouns } from './nouns.ts';
export { finders } from './finders.ts';
export const migrations = new URL('./migrations/', import.meta.url);
export { recorded } from './recorded.ts';
export { crmFail as errors } from './errors.ts';
export { grammar, published } from './events.ts';
export { checkMapped, type MappedOptions } from './contacts/mapped.ts';
export { getContact } from './contacts/get.ts';
export { resolveContact, type ContactSaid, type Resolved, type Source } from './contacts/resolve.ts';
export { sameContact } from './contacts/same.ts';
export { eraseContact, testContacts, type ErasedContact } from './contacts/erase.ts';
export type { ContactField, ContactSchema, FieldType } from './schema/field.ts';
export { contactFields, contactSchemaIn } from './schema/schema.ts';
export { fieldsForForms } from './schema/for-forms.ts';
export { defineContactField } from './schema/define.ts';
export { noteOnTimeline } from './timeline/entry.ts';
export { readEmail } from './identity/email.ts';
export { isCountry } from './identity/phone.ts';
export { holdContact } from './contacts/hold.ts';
export { contactByEmail, contactsById } from './contacts/named.ts';

export interface CrmPorts extends PersonPorts {
  readonly identity: Identity;
  readonly addresses: Pick<Addresses, 'commerce'>;
  readonly toolCatalogue: Pick<Catalogue, 'bind'>;
}

/** Its routes are served at commerce's address: `/api/contacts…` and `/api/contact-schema…`. */
export function create({ identity, addresses, toolCatalogue, partiesOf }: CrmPorts): {
  readonly serves: readonly [{ readonly at: 'commerce'; readonly routes: readonly Route[] }];
} {
  toolCatalogue.bind(tools, { partiesOf });
  const guard = identity.tenant(addresses.commerce);
  return { serves: [{ at: 'commerce', routes: [...contactRoutes(guard, { partiesOf }), ...schemaRoutes(guard)] }] };
}
