import type { Unbound } from '@steward/tools';

const counts = 'it counts changes; what was changed is bound by itself';
const moves = 'other work moves it all the time, and would make every approval stale';
const later = 'it is given in the order in which things are carried out';

/**
 * Everything that an approval does not bind of what its page shows or of the rows that its command is about. Whatever is not
 * listed is bound, also what is added later.
 */
export const unbound: readonly Unbound[] = [
  // Rows.
  { at: '*.version', how: 'hidden', why: counts },
  { at: 'studio.form.revision', how: 'hidden', why: counts },
  { at: '*.updated_at', how: 'hidden', why: counts },
  {
    at: 'marketplace.channel.token',
    how: 'hidden',
    why: 'it is sealed anew each time; it is the one of the installation whose code is given',
  },
  { at: 'marketplace.channel.connected_at', how: 'hidden', why: 'when it is carried out' },
  { at: 'marketplace.channel.webhooks_at', how: 'hidden', why: 'how far the work on it has come' },
  { at: 'callbacks.connection.release_until', how: 'hidden', why: 'how far letting go of what was held has come' },
  { at: 'callbacks.delivery.seal', how: 'hidden', why: 'a MAC by a key that the database has not' },
  {
    at: 'callbacks.delivery.body',
    how: 'hidden',
    why: 'what a provider sent: it may be large and name people, and never changes',
  },
  { at: 'callbacks.delivery.headers', how: 'hidden', why: 'what a provider sent' },
  { at: 'callbacks.delivery.body_sha256', how: 'hidden', why: 'it stands for the body' },
  { at: 'callbacks.delivery.item', how: 'hidden', why: 'which event of one request' },
  { at: 'callbacks.delivery.lease', how: 'hidden', why: 'how far the work on it has come' },
  { at: 'callbacks.delivery.begun', how: 'hidden', why: 'how far the work on it has come' },
  { at: 'callbacks.delivery.mentions', how: 'hidden', why: 'digests, by which an erasure finds the body' },
  { at: 'callbacks.delivery.erased', how: 'hidden', why: 'that the body is forgotten once it is carried out' },
  { at: 'callbacks.delivery.attempts', how: 'hidden', why: 'how far the work on it has come' },
  { at: 'callbacks.delivery.next_at', how: 'hidden', why: 'how far the work on it has come' },
  { at: 'callbacks.delivery.last_error', how: 'hidden', why: 'how far the work on it has come' },
  { at: 'callbacks.delivery.repeats', how: 'hidden', why: 'how often the provider sent it again' },
  { at: 'callbacks.delivery.audit_event_id', how: 'hidden', why: 'which event tells what became of it' },
  { at: 'callbacks.delivery.settled_at', how: 'hidden', why: 'when its status was last decided' },
  { at: 'callbacks.delivery.received_at', how: 'hidden', why: 'when it came; it never changes' },
  {
    at: 'callbacks.delivery.status',
    how: 'as_of',
    why: 'the worker moves it while people look; the command refuses what it no longer fits',
  },
  { at: 'callbacks.delivery.became', how: 'as_of', why: 'what was done is in the books and the log' },
  { at: 'catalogue.medium.attempts', how: 'hidden', why: 'how far its fetching has come' },
  { at: 'catalogue.medium.next_at', how: 'hidden', why: 'how far its fetching has come' },
  { at: 'checkout.discount.code_key', how: 'hidden', why: 'a spelling of the code to find it by' },
  { at: 'checkout.discount.used', how: 'as_of', why: 'every order moves it' },
  { at: 'orders.sales_order.email_key', how: 'hidden', why: 'a spelling of the address to find it by' },
  { at: 'orders.sales_order.salt', how: 'hidden', why: 'it hides in digests whom they are about' },
  { at: 'crm.contact.email_key', how: 'hidden', why: 'a spelling of the address to find it by' },
  { at: 'crm.contact.name_key', how: 'hidden', why: 'a spelling of the name to find it by' },
  { at: 'agentic.credential.key_hash', how: 'hidden', why: 'it stands for a secret; the key never changes' },
  { at: 'studio.sdk_key.key_hash', how: 'hidden', why: 'it stands for a secret; the key never changes' },
  { at: 'studio.sdk_key.last_used_at', how: 'as_of', why: 'every visitor of a page moves it' },
  { at: 'portal.invitation.secret_hash', how: 'hidden', why: 'it stands for a secret' },
  { at: 'accounting.taxpayer.tin_sealed', how: 'hidden', why: 'a secret; its last four characters are bound' },
  {
    at: 'accounting.party.contact_id',
    how: 'hidden',
    why: 'visitors add to contacts; whoever links, or erases the person, sees both',
  },
  {
    at: 'accounting.party.salt',
    how: 'hidden',
    why: 'it keeps what the log says of a party from being guessed, and says nothing itself',
  },
  {
    at: 'accounting.entry.event_id',
    how: 'hidden',
    why: 'it leads to the audit log, and a posted entry never changes',
  },
  { at: 'accounting.document.open', how: 'as_of', why: moves },
  { at: 'accounting.payment.open', how: 'as_of', why: moves },
  { at: 'accounting.document.number', how: 'given', why: later },
  // Previews.
  { at: '*/entries/*/number', how: 'given', why: later },
  { at: 'service_issue_document/entries/*/narration', how: 'given', why: `the number stands in it, and ${later}` },
  { at: 'service_record_payment/entries/*/narration', how: 'given', why: `the number stands in it, and ${later}` },
  { at: 'service_close_period/entries', how: 'as_of', why: counts },
  { at: 'service_close_period/drafts', how: 'as_of', why: counts },
  { at: 'service_reopen_period/entries', how: 'as_of', why: counts },
  { at: 'service_reopen_period/drafts', how: 'as_of', why: counts },
  { at: 'service_close_fiscal_year/year/entries', how: 'as_of', why: counts },
  { at: 'service_close_fiscal_year/year/drafts', how: 'as_of', why: counts },
  { at: '*/balances/*/before', how: 'as_of', why: moves },
  { at: '*/balances/*/after', how: 'as_of', why: moves },
  { at: '*/*/version', how: 'as_of', why: counts },
  { at: '*/form/revision', how: 'as_of', why: counts },
  { at: '*/discount/used', how: 'as_of', why: 'every order moves it' },
  { at: '*/discount/status', how: 'as_of', why: 'it follows from the time, and from how often the discount was used' },
  { at: '*/*/last_used_at', how: 'as_of', why: 'every visitor of a page moves it' },
  { at: 'service_define_contact_field/version', how: 'as_of', why: counts },
  { at: 'service_set_contact_country/version', how: 'as_of', why: counts },
  {
    at: 'service_merge_contacts/timeline_entries',
    how: 'as_of',
    why: 'entries are added all the time; all come along',
  },
  {
    at: 'service_erase_contact/submissions',
    how: 'as_of',
    why: 'what they submit before it is carried out goes as well',
  },
  { at: 'service_reconcile_account/book_balance', how: 'as_of', why: moves },
  { at: 'service_reconcile_account/outstanding', how: 'as_of', why: moves },
];
