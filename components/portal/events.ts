import { defineEvents, payload, type PrincipalRef } from '@steward/kernel';
import { z } from 'zod';

const id = z.string().min(1);
const role = z.string().min(1);
const names = z.array(z.string()).nullable();
/** SHA-256, base64url, of what the event does not say in words. */
const content = z.string().length(43).optional();

const member = { principal_type: z.enum(['user', 'service']), principal_id: id };

/** They carry ids and no personal data. */
export const { grammar, published, event, announcement } = defineEvents('portal', {
  recorded: {
    'portal.tenant.created': payload({
      default_currency: z.string(),
      fiscal_year_start_month: z.int(),
      persona: z.string(),
      default_brand_id: id,
      billing_tier: z.string(),
      trial_ends_at: z.string(),
    }),
    'portal.signup.reused': payload({}),
    'portal.billing.changed': payload(
      { before: z.string(), after: z.string(), status: z.string(), past_due_since: z.string().optional() },
      '1.1.0',
    ),
    'portal.billing.customer_linked': payload({ customer_id: id, live: z.boolean() }),
    'portal.billing.checkout_started': payload({ tier: z.string() }),
    'portal.billing.customer_portal_opened': payload({}),
    'portal.billing.subscription_changed': payload({
      subscription_id: id,
      tier: z.string(),
      standing: z.enum(['active', 'past_due', 'canceled']),
      began_at: z.string(),
      past_due_since: z.string().nullable(),
    }),
    'portal.billing.dispute_changed': payload({ dispute_id: id, status: z.string(), opened_at: z.string() }),
    'portal.organization.updated': payload({ fields: z.array(z.enum(['name', 'persona'])), version: z.int() }),
    'portal.member.added': payload({ ...member, role }),
    'portal.member.role_changed': payload({ ...member, before: role, after: role }),
    'portal.member.suspended': payload({ ...member, role, client_id: id }),
    'portal.member.restored': payload({ ...member, role }),
    'portal.member.removed': payload({ ...member, role }),
    'portal.invitation.sent': payload({ invitation_id: id, role, content_sha256: content }),
    'portal.invitation.accepted': payload({ invitation_id: id }),
    'portal.invitation.reissued': payload(
      { invitation_id: id, role: role.optional(), content_sha256: content },
      '1.1.0',
    ),
    'portal.invitation.suspended': payload({ invitation_id: id, client_id: id }),
    'portal.invitation.restored': payload({ invitation_id: id }),
    'portal.invitation.revoked': payload({ invitation_id: id }),
    'portal.agent_grant.granted': payload({ agent_id: id, pillars: names, tiers: names, tools: names }),
    'portal.agent_grant.revoked': payload({ agent_id: id }),
    'portal.agent_grant.suspended': payload({ agent_id: id, client_id: id }),
    'portal.agent_grant.restored': payload({ agent_id: id }),
    'portal.tool_policy.changed': payload({
      denied_tools: z.array(z.string()),
      agents_need_grant: z.boolean(),
      version: z.int(),
    }),
    'portal.brand.created': payload({ brand_id: id }),
    'portal.brand.renamed': payload({ brand_id: id }),
    'portal.brand.links_changed': payload({ brand_id: id, links: z.record(z.string(), z.string()) }),
    'portal.brand.archived': payload({ brand_id: id }),
  },
  published: { 'portal.tenant.created': payload({ tenantId: id, persona: z.string() }) },
});

/** A member as events name it. @throws Error for a principal that cannot be a member */
export const memberFacts = ({ type, id }: PrincipalRef) => {
  if (type !== 'user' && type !== 'service') throw new Error(`${type} ${id} can be no member`);
  return { principal_type: type, principal_id: id };
};
