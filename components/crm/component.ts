import type { Guard, Route } from '@steward/contract';
import type { Admitted } from '@steward/identity';
import type { PartiesOf } from './contacts/person.ts';
import { contactRoutes } from './contacts/routes.ts';
import { schemaRoutes } from './schema/routes.ts';

export const name = 'crm';
export { crmNouns as nouns } from './nouns.ts';
export const migrations = new URL('./migrations/', import.meta.url);
export { crmFail as errors } from './errors.ts';
export { crmGrammar as grammar } from './grammar.ts';
export { checkMapped, type MappedOptions } from './contacts/mapped.ts';
export { getContact } from './contacts/get.ts';
export { resolveContact, type ContactSaid, type Resolved, type Source } from './contacts/resolve.ts';
export { sameContact } from './contacts/same.ts';
export { eraseContact, testContacts, type ErasedContact } from './contacts/erase.ts';
export type { ContactField, ContactSchema, FieldType } from './schema/field.ts';
export { contactFields, contactSchemaIn, mappableFields, type MappableField } from './schema/schema.ts';
export { defineContactField } from './schema/define.ts';
export { noteOnTimeline } from './timeline/entry.ts';
export { isCountry } from './identity/phone.ts';
export { crmTools as tools } from './tools.ts';
export { holdContact } from './contacts/hold.ts';
export { contactByEmail, contactsById } from './contacts/named.ts';

/** For the mount of the component that serves them: `/api/contacts…` and `/api/contact-schema…`. */
export const routes = (guard: Guard<Admitted>, partiesOf: PartiesOf): readonly Route[] => [
  ...contactRoutes(guard, partiesOf),
  ...schemaRoutes(guard),
];
