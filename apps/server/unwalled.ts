import { dictionary } from '@steward/kernel';

const data =
  'what the business keeps, not what decides: a person approves the rows that a command names as they are at that moment, and who reads it sees what it says';
const guarded =
  'a trigger holds it to the entry, item or line that it is about, and verification holds what was issued, paid, agreed or said by a bank to its event, column by column; a draft is what a person approves as it is at that moment';
const reread =
  'what a provider says of its side, which is asked of it again: a forged movement becomes a line of a feed, which an event tells of, and what explains a line is an entry, which nobody forges';
const sessions =
  'ends what somebody signed in to; what the application did not seal, by a key that the database has not, opens nothing';
const deliveries =
  'how far something is delivered: a forged row has an event, or a letter, delivered twice or not at all, or one that no verb sent';
const draft = 'what a visitor has put together: it is priced anew whenever it is read, and what is bought is an order';
const seen = 'what the last request of an agent proved: it decides nothing, and the next one is asked again';
const refusals = 'that something was refused, and why: people look at it, and it decides nothing';
const maker =
  'who made it, for people to look at once they leave: its events tell that too; with another one, what shutting out a client suspends is another';
const heldMaker =
  'who made it: its events tell that, and verification holds the row to them; until somebody verifies, what shutting out a client suspends is another';
const forgets = 'a row makes processes read access profiles anew';

/**
 * What somebody with the application's database login alone, and without its key, can write unseen by the database's walls and by verification:
 * tables, columns (`table.column`) and statements (`table insert`), reviewed one by one. Every other table or column is behind a wall,
 * protected by a trigger, or compared by `audit verify`. A new one fails the test until it is one of these, or is named here with its reason.
 */
export const open = dictionary<string>({
  'accounting.book insert': 'one row a tenant, made with it: it is there, and another is refused',
  'accounting.seller insert':
    'one row a tenant: another is refused, and verification tells of a first one without its event',
  'accounting.bank_rule': 'what it suggests is posted by people, or proposed to them',
  'accounting.entry_key':
    'which entry a key of a caller stands for: a forged one lets a repeated call answer with another entry',
  'accounting.document': guarded,
  'accounting.document_line': guarded,
  'accounting.payment': guarded,
  'accounting.allocation': guarded,
  'accounting.bank_connection': reread,
  'accounting.feed.name': data,
  'accounting.feed_movement': reread,
  'accounting.payout': reread,
  'accounting.tax_filing': reread,
  'accounting.bank_statement': data,
  'accounting.bank_line': guarded,
  'accounting.bank_match': guarded,
  'accounting.reconciliation': guarded,
  'acp.feed.created_by': heldMaker,
  'acp.feed.created_by_type': maker,
  'acp.feed.created_through': heldMaker,
  'acp.feed.token':
    'sealed by a key that the login has not, for one feed and address: a forged one does not open, and without one nothing is pushed',
  'acp.feed_product':
    'what a platform has, as far as it said so: a forged row has a product pushed once more, or after a day',
  'acp.feed_work':
    'how far pushing has come: it decides when and how much is asked of the one platform, at the address that verification holds',
  'acp.payment_token':
    'what a platform may pay with in a test: no money moves by it, and nothing of it is in the books',
  'agentic.agent.key_id': seen,
  'agentic.agent.verdict': seen,
  'agentic.agent.last_seen_at': seen,
  'agentic.credential.created_by': maker,
  'agentic.credential.created_by_type': maker,
  'agentic.credential.created_through': maker,
  'agentic.signing_secret':
    'sealed by a key that the login has not, for one brand and key: a forged one does not open, and without one nothing is signed',
  'approvals.action.last_event_id': 'which event is told as the cause of the next',
  'approvals.action.nonce': 'the one continuation of a client; it answers to the one who asked alone',
  'approvals.action.attempts':
    'how often it was tried: a forged number has it tried once more, or given up as failed, which is told',
  'approvals.action.lease_until':
    'when a worker takes it up, so it may be put off until it expires; that it counts once is decided by the lock on it',
  'approvals.policy insert':
    'one row a tenant: where it is there, another is refused; where not, one without our seal is no policy, and is told of',
  'approvals.erasure': 'has what was rehearsed before it rehearsed again',
  'bookkeeping.posting':
    'what orders owe the books: what was made of it stands in the books, and verification holds it to its event; a forged row is tried, and refused or posted as an order says',
  'bus.behind': deliveries,
  'bus.dead_letter': deliveries,
  'bus.inbox': deliveries,
  'bus.outbox': deliveries,
  'callbacks.connection.refused_at': refusals,
  'callbacks.connection.refusal': refusals,
  'callbacks.connection.release_until': 'how long what was held is let go of after the connection was resumed',
  'callbacks.connection.updated_at': data,
  'callbacks.delivery.attempts': deliveries,
  'callbacks.delivery.begun': deliveries,
  'callbacks.delivery.mentions':
    'by what an erasure finds what a provider sent; without them it stays until its days are over',
  'callbacks.delivery.last_error': deliveries,
  'callbacks.delivery.settled_at': deliveries,
  'callbacks.delivery.next_at': deliveries,
  'callbacks.delivery.audit_event_id':
    'which event of the log people are led to; what became of it is held to its events',
  'callbacks.secret':
    'sealed by a key that the database has not, for one connection and name: a forged one opens nothing, and without one the provider is refused',
  'catalogue.medium.attempts': deliveries,
  'catalogue.medium_turn': deliveries,
  'catalogue.picture delete':
    'a foreign key refuses it while a product shows it, and what none shows is deleted anyway',
  'catalogue.pictured insert': 'one row a tenant: where it is there, another is refused',
  'catalogue.product_term':
    'an index that is made of products: a forged row has a search find one product more or less; what products say is compared',
  'catalogue.spelling':
    'an index that is made of words of products: a forged row has a misspelt word corrected to another that products have, or not at all',
  'checkout.cart': draft,
  'checkout.discount': data,
  'checkout.discount_use': data,
  'checkout.request':
    'what a repeated request is answered with: a forged row has its page told something else than what is so',
  'checkout.session': draft,
  'checkout.shipping_option': data,
  'checkout.shipping_zone': data,
  'checkout.tax_setting': data,
  'checkout.tax_zone': data,
  'commerce.form_day': data,
  'commerce.refusal': data,
  'commerce.submission': data,
  'crm.contact': data,
  'crm.contact_schema': data,
  'crm.contact_term': data,
  'crm.timeline_entry': data,
  'deliveries.endpoint.begins_after': deliveries,
  'deliveries.endpoint.created_by': heldMaker,
  'deliveries.endpoint.created_by_type': maker,
  'deliveries.endpoint.created_through': heldMaker,
  'deliveries.endpoint.description': data,
  'deliveries.secret.expires_at':
    'when a secret ends: a forged one has requests signed by one that was replaced, or by fewer',
  'deliveries.secret.sealed':
    'sealed by a key that the login has not: a forged one does not open, and nothing is sent by it',
  'identity.standing_change': forgets,
  'mail.address': 'who confirmed, refused or cannot be reached: a forged row sends a letter more or less',
  'mail.letter':
    'whoever has the login can have a letter sent in our name: rotate the login, and look at `steward mail`',
  'marketplace.channel.created_by': maker,
  'marketplace.channel.created_by_type': maker,
  'marketplace.channel.created_through': maker,
  'marketplace.imported_order':
    'which order of a shop an order here is: that each becomes one is decided by the checkout that it has, and what orders say is compared',
  'marketplace.link':
    'which product of a shop a product here is: a forged one has another product named by an order, whose figures are the shop’s',
  'marketplace.inventory':
    'what a shop counts of a variant, and when the two are compared: a forged one has another number compared, and what is set is what is available',
  'marketplace.listing':
    'which products a shop has from this side, and when they are compared: another has one compared too late, or offered in the shop or not; the log tells who wished it',
  'marketplace.task': deliveries,
  'marketplace.data_request': 'that a buyer asked, and was answered: the log tells of both',
  'marketplace.channel.token':
    'sealed by a key that the database has not, for one channel: a forged one opens nothing, and without one the channel asks for nothing',
  'marketplace.channel.scopes': 'what the shop granted; the shop refuses what it did not',
  'marketplace.channel.shop_locations': 'as the shop names its locations; which one was chosen is compared',
  'marketplace.channel.webhooks_at': deliveries,
  'marketplace.channel.connected_at':
    'when the app was installed: an uninstallation that came before it is passed over',
  'marketplace.channel.updated_at': data,
  'orders.counter insert': 'one row a mode: of live orders it is held to them, and numbers of tests decide nothing',
  'orders.edit insert':
    'one row for each version that an edit made: where it is there, another is refused; of a version without one it is told',
  'orders.payment.action': 'what the buyer must do next: a forged one sends them elsewhere to confirm',
  'orders.payment.look_at': 'when a job looks, which asks the day that was told: nothing is cancelled before it',
  'orders.payment_request.reason': deliveries,
  'orders.payment_request.attempts': deliveries,
  'orders.payment_request.next_at': deliveries,
  'orders.payment_request.updated_at': deliveries,
  'orders.payment_setting insert': 'one row a tenant: where it is there, another is refused; where not, it is told of',
  'orders.return.note': data,
  'orders.letter': deliveries,
  'portal.brand': data,
  'portal.client_seen':
    'which names of clients are known to have come: a forged row lets a mistyped one be shut out without a word',
  'stock.held_requirement':
    'what orders reserved, where their variants take something else since: a forged row has more or less leave with a parcel; what left is compared with its event',
  'stock.item.name': data,
  'stock.item.sku': data,
  'stock.location.address': data,
  'stock.location.code': data,
  'stock.location.country': data,
  'stock.location.name': data,
  'stock.location.postal_address': data,
  'stock.location.priority': 'where stock is taken from first: what is taken there is compared',
  'stock.reservation.expires_at':
    'until when stock is held for somebody: a forged one has it sold to others earlier, or later; how much is held is compared',
  'studio.form': data,
  'studio.form_version': data,
  'studio.notified': deliveries,
  'studio.notified_hour': deliveries,
  'studio.sdk_key': 'publishable: it lets pages of a site send forms, and nothing else',
  'studio.site':
    'which pages may send its forms, and how many a minute: what they send is taken as from a stranger anyway',
  'studio.submission': data,
  'tools.command_step': 'what a repeated command answers; a forged one has it answer what it did not do',
});

const ledger = 'the ledger’s own: what it writes is told of by verification, or moves no sum';
const chain =
  'the audit log’s own: it only appends. Whoever has the login can append what looks like an event of ours, also one that goes with a row of theirs, so that verification tells of neither; it stays for good, with its time, and nothing that decides rests on it alone';
const erases =
  'empties what is about a person: whoever has the login destroys data by it, which a backup brings back; what was decided, and by whom, stays';

/** Functions that do with other rights what the login may not do itself. What they change in a table behind the wall is refused there. */
export const functions = dictionary<string>({
  'acp.claim_feed': 'leases a feed that is due: a forged lease has it pushed a minute later',
  'accounting.close_year': 'months are behind the wall',
  'accounting.set_period': 'months are behind the wall',
  'approvals.keep_outflow': 'what counts against limits is behind the wall',
  'accounting.erase_unissued': erases,
  'accounting.hold_balances': ledger,
  'accounting.hold_month': ledger,
  'accounting.lock_items': ledger,
  'accounting.next_number':
    'a number that is taken and not used is a hole in a series, which the list of documents shows',
  'accounting.post_entry': ledger,
  'accounting.revalue_items': ledger,
  'approvals.claim_actions': deliveries,
  'approvals.erase_actions': 'what actions say is behind the wall',
  'approvals.erase_facts': 'what actions say is behind the wall',
  'audit.adopt_hour': chain,
  'audit.append': chain,
  'audit.close_day': chain,
  'audit.close_hour': chain,
  'audit.erase_subject_keys': `${chain}; a destroyed key is missed`,
  'audit.mark_expired': chain,
  'audit.mark_sealed': chain,
  'audit.note_principals': chain,
  'audit.open_chain': chain,
  'audit.place_hold': chain,
  'audit.record': chain,
  'audit.record_hour': chain,
  'audit.record_incarnation': chain,
  'audit.record_platform_day': chain,
  'audit.record_restored': chain,
  'audit.record_sealed_days': chain,
  'audit.register_key': chain,
  'audit.release_hold': chain,
  'audit.require_no_hold': chain,
  'audit.rewrap_subject_key': chain,
  'audit.use_subject_keys': chain,
  'bookkeeping.claim_postings': deliveries,
  'bus.advance': deliveries,
  'bus.claim': deliveries,
  'bus.claim_behind': deliveries,
  'bus.claim_letters': deliveries,
  'bus.compare_stream': deliveries,
  'bus.draw': deliveries,
  'bus.enroll': deliveries,
  'bus.horizon': deliveries,
  'bus.let_go': deliveries,
  'bus.news': deliveries,
  'bus.position_at': deliveries,
  'bus.look_back_at': deliveries,
  'bus.note_stream': deliveries,
  'bus.poll': deliveries,
  'bus.publish_together': deliveries,
  'bus.rejoin': deliveries,
  'bus.state': deliveries,
  'bus.take_together': deliveries,
  'callbacks.claim':
    'keeps a delivery; one that the intake did not take lacks the seal, by a key that the database has not, and is not carried out',
  'callbacks.erase_bodies': erases,
  'callbacks.forget_bodies': 'forgets what providers sent long ago: what became of it stays',
  'callbacks.lease': deliveries,
  'callbacks.note_refusal': refusals,
  'callbacks.release': deliveries,
  'catalogue.claim_medium': deliveries,
  'checkout.tidy':
    'deletes carts and checkouts without an order, and answers under idempotency keys: drafts of visitors',
  'checkout.make_room':
    'deletes carts and checkouts without an order that nobody touched for an hour, and answers under idempotency keys: drafts of visitors',
  'checkout.delete_tests':
    'deletes carts and checkouts of tests, and answers under idempotency keys: drafts of visitors',
  'commerce.erase_submission': erases,
  'commerce.erase_submissions_of': erases,
  'commerce.erase_test_submissions': erases,
  'commerce.store_together': data,
  'console.end_session': sessions,
  'console.find_session': sessions,
  'console.keep_session': sessions,
  'console.lease_session': sessions,
  'console.start_session': sessions,
  'console.tidy_sessions': sessions,
  'crm.erase_contact': erases,
  'deliveries.claim': deliveries,
  'deliveries.drop_waiting': deliveries,
  'deliveries.enqueue': deliveries,
  'deliveries.forget': deliveries,
  'deliveries.open_queue': deliveries,
  'deliveries.recover': deliveries,
  'deliveries.remove_queue': deliveries,
  'deliveries.renew': deliveries,
  'deliveries.replay': deliveries,
  'deliveries.replay_told': deliveries,
  'deliveries.rest': deliveries,
  'deliveries.set_running': deliveries,
  'deliveries.settle': deliveries,
  'deliveries.tidy': deliveries,
  'identity.enter': 'opens a tenant for a transaction, as the login can by itself',
  'identity.prune_standing_changes': forgets,
  'identity.remember_person':
    'what people are called where others decide about them, and where letters to them go, until they come again; who they are, and what they may do, is their id',
  'mail.claim': deliveries,
  'mail.erase': erases,
  'mail.renew': deliveries,
  'mail.requeue': deliveries,
  'mail.return_letter': deliveries,
  'mail.settle': deliveries,
  'mail.tell_returned': deliveries,
  'mail.tidy': deliveries,
  'marketplace.claim_tasks': deliveries,
  'marketplace.bind_installation':
    'makes an installation that is nobody’s a tenant’s, by a code of 128 bits that is kept nowhere',
  'marketplace.claim_installation':
    'takes an installation by a code of 128 bits that is kept nowhere; what it answers is sealed by that code',
  'marketplace.keep_installation':
    'a forged installation is claimed by nobody but whoever has its code, and what is sealed for it does not open',
  'marketplace.use_state': 'has an installation refused that has not come back, which begins again',
  'orders.apply_edit':
    'writes the next version of an order, as the login may by an edit: the log has a digest of each, so verification tells of any other; what left stays',
  'orders.delete_tests': 'deletes orders and payments of tests; what is live stays, whatever ids it is given',
  'orders.erase': erases,
  'platform.is_application': 'says whether a transaction is marked',
  'platform.raise_wall': 'does nothing where a wall stands',
  'platform.spend': 'counts calls against limits: whoever has the login can use up those of others',
  'portal.keep_signup': 'which tenant a repeated signup answers with, by its id; access to it is asked again',
  'stock.forget_tests':
    'deletes levels, reservations and movements of tests, of the tenant that the transaction is opened for; what is live stays, and the next test begins with it',
  'studio.note_key_use': 'when a key was last used',
});
