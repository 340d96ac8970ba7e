import { dictionary } from '@steward/kernel';

const digest = 'of what is kept, to compare it with: it opens nothing, and nothing is sent by it';
const buyer =
  'of a buyer, for what they bought or put together themselves: no member or agent of the organization is shown it';
const record =
  'what the business knows of somebody: letters go there that a verb writes, and nobody made it to have data';
const repetition = 'which request or work is a repetition of which: it opens nothing';
const platform = 'of the installation: the operator has it, and no member or agent of an organization';
const own = 'an id of what is listed by itself';
const sealedAway = 'sealed by the server, and shown to nobody; another one is made with service_rotate_signing_key';
const shopper =
  'as an agent of a buyer says of itself: it is judged and shut out by service_judge_agent_of_buyers, and sends the organization’s data nowhere else than to who bought';

/**
 * Columns by whose names something may be a credential, or an address that data leaves to, of tables that no kind of `Integrations` lists. What a member or an
 * agent makes, or is shown, and gives data or entry to somebody outside belongs to a kind, so that it is named when they leave. All others are here with the reason.
 */
export const noOutlets = dictionary<string>({
  'accounting.attachment.sha256': digest,
  'accounting.bank_statement.content_sha256': digest,
  'accounting.blob.sha256': digest,
  'accounting.document.buyer_address': record,
  'accounting.document.seller_address': record,
  'accounting.party.address': record,
  'accounting.party.email': record,
  'accounting.party.email_key': record,
  'accounting.party.name_key': record,
  'accounting.reconciliation.to_day': 'a day',
  'accounting.seller.address': record,
  'accounting.taxpayer.tin_sealed': record,
  'acp.feed_work.creation_key': repetition,
  'acp.payment_token.token_id': own,
  'acp.payment_token.token_sha256': buyer,
  'agentic.agent.key_id': own,
  'agentic.agent.profile_url': shopper,
  'agentic.agent.webhook_url': shopper,
  'agentic.host.host':
    'where a brand is found: whoever has its DNS record proves it anew, and nobody is let in by it or sent anything',
  'agentic.host.host_id': own,
  'agentic.signing_key.key_id': own,
  'agentic.signing_secret.key_id': own,
  'agentic.signing_secret.sealed': sealedAway,
  'approvals.action.idempotency_key': repetition,
  'approvals.action.preview_hash': digest,
  'approvals.vote.preview_hash': digest,
  'audit.event.event_hash': digest,
  'audit.event.row_hash': digest,
  'audit.head.row_hash': digest,
  'audit.head.sealed_through': digest,
  'audit.hour.key_id': own,
  'audit.hour.note_sha256': digest,
  'audit.idempotency.key': repetition,
  'audit.platform_day.key_id': own,
  'audit.platform_day.manifest_sha256': digest,
  'audit.platform_day.sealed_at': digest,
  'audit.platform_day.sha256': digest,
  'audit.restored_chain.row_hash': digest,
  'audit.sealed_day.first_previous_hash': digest,
  'audit.sealed_day.key_id': own,
  'audit.sealed_day.last_row_hash': digest,
  'audit.sealed_day.manifest_sha256': digest,
  'audit.sealed_day.sealed_at': digest,
  'audit.sealed_day.sha256': digest,
  'audit.signing_key.key_id': platform,
  'audit.signing_key.verifier_key': platform,
  'audit.subject_key.key_id': platform,
  'callbacks.delivery.body_sha256': digest,
  'callbacks.delivery.signed_sha256': digest,
  'checkout.discount.applies_to': 'what it lowers',
  'checkout.cart.door_email': buyer,
  'checkout.cart.key_id': own,
  'checkout.cart.token_sha256': buyer,
  'checkout.discount.code_key':
    'what buyers type, and whoever is told it may: it gives a discount within its limits, and neither data nor entry',
  'checkout.request.body_sha256': repetition,
  'checkout.request.request_sha256': repetition,
  'checkout.session.billing_address': buyer,
  'checkout.session.email': buyer,
  'checkout.session.key_id': own,
  'checkout.session.shipping_address': buyer,
  'checkout.session.token_sha256': buyer,
  'commerce.submission.key_id': own,
  'console.session.key_hash': 'of a person and a browser: every request asks whether they are a member still',
  'console.session.sealed': 'of a person and a browser: every request asks whether they are a member still',
  'crm.contact.email': record,
  'crm.contact.email_key': record,
  'crm.contact.name_key': record,
  'deliveries.delivery.ordering_key': repetition,
  'identity.person.email':
    'of a person: who is no member any more, or suspended, is written to by nothing (identity.leftAmong)',
  'mail.address.address':
    'of an address that letters went to: who left is written to again only once they confirm it anew',
  'mail.address.address_id': own,
  'mail.letter.address': 'of a letter that is on its way, by the digest of the address',
  'mail.letter.key': repetition,
  'mail.letter.recipient':
    'of a letter that is on its way: members alone, and by forms and orders only addresses that may be written to',
  'marketplace.installation.code_sha256':
    'of whoever installed the app in a shop, for an hour: who claims it makes a channel, which is listed',
  'marketplace.installation.sealed': 'of a shop that no organization has claimed yet, for an hour',
  'marketplace.used_state.state_sha256': repetition,
  'orders.fulfilment.tracking_url': 'where a buyer follows a parcel: nothing is sent there',
  'orders.letter.address': digest,
  'orders.letter_setting.new_orders_to':
    'of who is told of orders: whoever left is told of none until they confirm it anew (identity.leftAmong)',
  'orders.letter_setting.reply_to':
    'where buyers answer to: not to whoever left, until they confirm it anew (identity.leftAmong)',
  'orders.sales_order.billing_address': buyer,
  'orders.sales_order.email': buyer,
  'orders.sales_order.email_key': buyer,
  'orders.sales_order.key_id': own,
  'orders.sales_order.shipping_address': buyer,
  'portal.brand.links': 'where buyers are led to read: nothing is sent there',
  'portal.signup.idempotency_key': repetition,
  'stock.location.address': record,
  'stock.location.postal_address': record,
  'studio.notified_hour.recipient': digest,
  'tools.command_step.key': repetition,
});
