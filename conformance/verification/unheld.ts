const words = 'free text, or what somebody is called: no event carries it, so that the log holds no personal data';
const data =
  'what the business keeps about others: its events carry ids and names of fields and no personal data; who reads it sees what it says, and whoever approves a command approves the rows as they are then';
const draft =
  'what a visitor has put together: no event tells of it, it is priced anew whenever it is read, and what is bought is an order';
const delivery = 'how far something is delivered: it has an event or a letter delivered twice or not at all';
const taken =
  'what a provider sent: the seal of the intake covers it while it waits, and what became of it is held to its events';
const repetition = 'what a repeated request is answered with';
const unapproved = 'sealed while it waits: with another one nobody approves the action';
const proved = 'what the last request of an agent proved: it decides nothing, and the next one is asked again';
const working = 'how far the work on it has come: it decides nothing but when that goes on';
const seal = 'a MAC by a key that the database has not: what bears no right one decides nothing';
const sealed = 'covered by the seal of its rule: a rule without a right one covers nothing';
const order = 'only the order is held: another number in the same order says the same';
const grantor =
  'whom a grant comes from: an event that narrows it leaves the earlier one standing, so the newest does not tell';
const server = 'of the installation and of no tenant: the server checks it, or writes it anew, when it starts';
const moved =
  'why a level changed: the sums of movements are held to the level, and what is on hand to the events, which tell who, when and why';
const promised =
  'for whom stock is reserved, as a rule for minutes: how much is, is held; the orders tell what was promised to them';
const held = 'what variants took when orders were reserved: events tell each change of it, and movements what left';
const feed = 'has processes read again what they keep in memory';
const person = 'as the identity provider said at the last login; the next login writes it anew';

const later = 'which of two answers of the provider is the later one: what they say is held';
const owed = 'how far an order is on its way into the books; what was made of it is held';
const reread =
  'what a provider says, which is asked of it again; what the books have of it is a bank line, and all a line says is held, with when it was withdrawn';
/**
 * What a superuser can rewrite without `audit verify` telling of it, in all schemas but `audit`, reviewed one by one: columns, and tables none of whose columns
 * is held. Whoever adds a column that is held to no event, and follows from nothing, names it here with the reason.
 */
export const unheld: Readonly<Record<string, string>> = {
  'accounting.account.created_at': 'an account has no event of its own; the chart is held as a whole',
  'accounting.bank_rule.contains': words,
  'accounting.document.version': 'counts changes of a draft; of what was issued nobody asks it',
  'accounting.document_line.line': order,
  'accounting.entry_key': repetition,
  'accounting.bank_connection': reread,
  'accounting.feed.name': words,
  'accounting.feed.remote':
    'the bank’s own name of an account: a forged one has a feed of its own opened, which an event tells of',
  'accounting.feed_movement': reread,
  'accounting.payout': reread,
  'accounting.tax_filing': reread,
  'accounting.period.changed_at':
    'when somebody last posted to, closed or reopened the month: the events tell of the last two',
  'accounting.posting.line': order,
  'acp.feed.created_at': 'when it was set first; decides nothing',
  'acp.feed.token':
    'sealed by a key that the database has not, for one feed and address: another one does not open, and without one nothing is pushed',
  'acp.feed_product':
    'what a platform has, as far as it said so: a forged row has a product pushed once more, or after a day',
  'acp.feed_work':
    'how far pushing has come: it decides when and how much is asked of the one platform, at the address that is held',
  'acp.payment_token': 'what a platform may pay with in a test: no money moves by it, and it is gone in a week',
  'agentic.agent.key_id': proved,
  'agentic.agent.verdict': proved,
  'agentic.agent.last_seen_at': proved,
  'agentic.credential.last_four': words,
  'agentic.credential.label': words,
  'agentic.signing_key.jwk': 'the table takes no other key than that whose thumbprint is held',
  'agentic.signing_secret': 'the sealed private part of a key, whose public part is held: another one does not open',
  'approvals.action.tier': 'which tier the tool had when it was asked for; decides nothing any more',
  'approvals.action.idempotency_key': repetition,
  'approvals.action.drift': unapproved,
  'approvals.action.seal': seal,
  'approvals.action.asked_seal': seal,
  'approvals.action.shown_at': unapproved,
  'approvals.action.reasons': unapproved,
  'approvals.action.reason': words,
  'approvals.action.nonce': working,
  'approvals.action.attempts': working,
  'approvals.action.lease_until': working,
  'approvals.edit.difference': unapproved,
  'approvals.erasure': 'has what was rehearsed before an erasure rehearsed again',
  'approvals.outflow.taken': 'more than the entries took is not told where a tool put a price of its own; less is',
  'approvals.policy.seal': seal,
  'approvals.standing_rule.seal': seal,
  'approvals.standing_rule.base_currency': sealed,
  'approvals.standing_rule.base_most': sealed,
  'approvals.vote.seal': seal,
  'bookkeeping.posting.cause_id': owed,
  'bookkeeping.posting.correlation_id': owed,
  'bookkeeping.posting.reason': owed,
  'bookkeeping.posting.detail': owed,
  'bookkeeping.posting.attempts': owed,
  'bookkeeping.posting.next_at': owed,
  'bookkeeping.posting.created_at': owed,
  'bookkeeping.posting.updated_at': owed,
  'bus.behind': delivery,
  'bus.consumer': delivery,
  'bus.dead_letter': delivery,
  'bus.inbox': delivery,
  'callbacks.connection.status': 'whether secrets were given; that it is paused or removed is held',
  'callbacks.connection.updated_at': 'when it was last changed; the events tell when',
  'callbacks.connection.refused_at': 'that what came to its address was refused, by whomever it was sent',
  'callbacks.connection.refusal': 'why that was refused',
  'callbacks.connection.release_until': 'how long what was held of it is let go of after it was resumed',
  'callbacks.delivery.account': taken,
  'callbacks.delivery.provider_delivery_id': taken,
  'callbacks.delivery.event_id': taken,
  'callbacks.delivery.live': taken,
  'callbacks.delivery.resource': taken,
  'callbacks.delivery.occurred_at': taken,
  'callbacks.delivery.item': taken,
  'callbacks.delivery.body_sha256': taken,
  'callbacks.delivery.signed_sha256': taken,
  'callbacks.delivery.body': taken,
  'callbacks.delivery.headers': taken,
  'callbacks.delivery.seal': taken,
  'callbacks.delivery.attempts': working,
  'callbacks.delivery.lease': working,
  'callbacks.delivery.begun': working,
  'callbacks.delivery.mentions': 'by what an erasure finds what a provider sent',
  'callbacks.delivery.erased': 'that a body is forgotten once it is carried out',
  'callbacks.delivery.next_at': working,
  'callbacks.delivery.last_error': working,
  'callbacks.delivery.audit_event_id': delivery,
  'callbacks.delivery.repeats': working,
  'callbacks.delivery.received_at': taken,
  'callbacks.delivery.settled_at': working,
  'callbacks.secret':
    'sealed by a key that the database has not, for one connection and name: a forged one opens nothing',
  'catalogue.medium.attempts': working,
  'catalogue.medium.next_at': working,
  'catalogue.medium_turn': working,
  'catalogue.product_term': 'an index, made of the product when it changes: the product itself is held',
  'catalogue.spelling': 'an index, made of the words of products when they change: the products themselves are held',
  'bus.outbox': delivery,
  'checkout.cart': draft,
  'checkout.discount.used':
    'how often it was used, which orders count: a forged number has a limit hold too early or too late; its terms are held',
  'checkout.discount_use':
    'which orders used a discount, so that limits hold: a forged row refuses a buyer or lets one buy on better terms; each order keeps what it was charged',
  'checkout.request': repetition,
  'checkout.session': draft,
  'commerce.form_day': 'counts what visitors read, sent and sent in vain, for charts',
  'commerce.refusal': 'counts what visitors sent in vain',
  'commerce.submission.data': data,
  'console.session':
    'who is signed in where: what the application did not seal, by a key that the database has not, opens nothing',
  'crm.contact.email': data,
  'crm.contact.email_key': data,
  'crm.contact.phone': data,
  'crm.contact.name': data,
  'crm.contact.name_key': data,
  'crm.contact.custom': data,
  'crm.contact.source': data,
  'crm.contact.version': 'counts changes; their events carry no number',
  'crm.contact.updated_at': 'when it was last filled in or changed; the events of that are in the log',
  'crm.contact.merged_into': 'a merge of a merge leads on: the event of the first does not tell where to',
  'crm.contact.test': 'test data: its event says that it changed, not to what',
  'crm.contact.discarded': data,
  'crm.contact_schema.document': 'its event carries the version and the keys of fields, not what they are',
  'crm.contact_term': data,
  'crm.erased_contact': 'under which other id an erased contact stands in lists',
  'crm.timeline_entry': data,
  'deliveries.attempt': delivery,
  'deliveries.delivery': delivery,
  'deliveries.endpoint.begins_after': 'from which event on it gets any: another has it get more of the past, or less',
  'deliveries.endpoint.description': words,
  'deliveries.queue': delivery,
  'deliveries.secret.created_at': 'only the order of secrets, all of which sign',
  'deliveries.secret.expires_at':
    'when a secret ends: another has requests signed by one that was replaced, or by the new one alone',
  'deliveries.secret.sealed':
    'sealed by a key that the database has not: one that was changed does not open, and nothing is sent by it',
  'identity.access_version': feed,
  'identity.former_member.created_through': 'as it was held to its event while somebody was a member',
  'identity.former_member.created_by': 'as created_through',
  'identity.former_member.created_by_type': 'as created_through',
  'identity.person': person,
  'identity.standing_change': feed,
  'mail.address': 'who wants letters: its events carry an id and no address; a forged row sends a letter more or less',
  'mail.letter': delivery,
  'marketplace.imported_order':
    'which order of a shop an order here is; the order itself is held, with the shop that it is of',
  'marketplace.link': 'which product of a shop a product here is; products and orders are held',
  'marketplace.inventory': 'what a shop counts of a variant, and when it is compared; levels are held',
  'marketplace.listing':
    'which products a shop has from this side, and when the two are compared; the log tells which were published and taken off',
  'marketplace.task': working,
  'marketplace.data_request': 'that a buyer asked, and was answered: the log tells of both',
  'marketplace.channel.token': 'sealed by a key that the database has not, for one channel: a forged one opens nothing',
  'marketplace.channel.scopes': 'what the shop granted with its token; the shop itself refuses what it did not',
  'marketplace.channel.shop_locations': 'as the shop names its locations; which one was chosen is held',
  'marketplace.channel.webhooks_at': working,
  'marketplace.channel.connected_at': 'when it was last connected; the events tell when',
  'marketplace.channel.created_at': 'when it was first connected; the first event tells when',
  'marketplace.channel.updated_at': 'when it was last changed; the events tell when',
  'marketplace.installation':
    'of nobody yet: what is sealed there is opened by the code that a browser was shown alone',
  'marketplace.used_state': 'of nobody: states that came back, until they would not be taken anyway',
  'orders.letter': delivery,
  'platform.function': server,
  'platform.migration': server,
  'platform.spending': 'counts requests against limits, for minutes',
  'platform.wall': 'another key has every write of the application refused',
  'orders.payment.action': 'what a buyer must do next, for minutes: what becomes of the payment is held',
  'orders.payment.look_at': working,
  'orders.payment_operation.reference': words,
  'orders.payment_request.reason': 'a code of the provider: the event of a refusal has it',
  'orders.payment_request.attempts': working,
  'orders.payment_request.next_at': working,
  'orders.payment_request.created_at': working,
  'orders.payment_request.updated_at': working,
  'orders.refund.note': words,
  'orders.refund.reference': repetition,
  'orders.return.note': words,
  'portal.agent_grant.granted_by': grantor,
  'portal.agent_grant.granted_by_type': grantor,
  'portal.agent_grant.created_through': grantor,
  'portal.agent_grant.granted_at': grantor,
  'portal.billing_account.reading': later,
  'portal.billing_dispute.reading': later,
  'portal.brand.name': words,
  'portal.client_seen': 'which clients ever came, so that a mistyped name is noticed',
  'portal.invitation.revoked_at':
    'behind its end it is not told: an invitation that is over makes nobody a member, whatever ended it',
  'portal.owned_name': repetition,
  'portal.signup': repetition,
  'portal.tenant.name': words,
  'stock.item.sku': words,
  'stock.item.name': words,
  'stock.location.name': words,
  'stock.location.code': words,
  'stock.location.country': words,
  'stock.location.address': words,
  'stock.location.postal_address': words,
  'stock.location.priority': 'which of several locations stock is taken from first; where it was taken from is held',
  'stock.movement.kind': moved,
  'stock.movement.reason': moved,
  'stock.movement.note': words,
  'stock.movement.source_kind': moved,
  'stock.movement.source_id': moved,
  'stock.movement.source_line': moved,
  'stock.movement.actor': moved,
  'stock.movement.created_at': moved,
  'stock.held_requirement.tenant_id': held,
  'stock.held_requirement.holder_id': held,
  'stock.held_requirement.mode': held,
  'stock.held_requirement.variant_id': held,
  'stock.held_requirement.item_id': held,
  'stock.held_requirement.quantity': held,
  'stock.reservation.holder_id': promised,
  'stock.reservation.expires_at': promised,
  'studio.notified': delivery,
  'studio.notified_hour': delivery,
  'studio.sdk_key.last_used_at': 'using a key records nothing',
  'studio.submission': 'a copy of the submission, for lists',
  'tools.command_step': repetition,
};
