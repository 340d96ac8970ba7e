import { everyone, permit } from '@steward/access';

/** Every member of the organization may look somebody up; nobody else can. */
export const readContacts = permit('contacts.read', everyone, 'read');
export const writeContacts = permit('contacts.write', ['owner', 'admin', 'merchandiser', 'developer', 'platform']);
/** Merging cannot be taken back. */
export const mergeContacts = permit('contacts.merge', ['owner', 'admin', 'merchandiser']);
export const defineContactFields = permit('contacts.define', [
  'owner',
  'admin',
  'merchandiser',
  'developer',
  'platform',
]);
