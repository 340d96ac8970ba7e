import type { Grammar } from '@steward/audit';
import { z } from 'zod';

const id = z.string().min(1);
const role = z.string().min(1);
const names = z.array(z.string()).nullable();
/** SHA-256, base64url, of what the event does not say in words. */
const content = z.string().length(43).optional();

const member = { principal_type: z.enum(['user', 'service']), principal_id: id };

/** Payloads of the portal's own events, version 1. They carry ids and no personal data. */
const payloads = {
  'portal.tenant.created': {
    default_currency: z.string(),
    fiscal_year_start_month: z.int(),
    persona: z.string(),
    default_brand_id: id,
    billing_tier: z.string(),
    trial_ends_at: z.string(),
  },
  'portal.signup.reused': {},
  'portal.billing.changed': { before: z.string(), after: z.string(), status: z.string() },
  'portal.organization.updated': { fields: z.array(z.enum(['name', 'persona'])), version: z.int() },
  'portal.member.added': { ...member, role },
  'portal.member.role_changed': { ...member, before: role, after: role },
  'portal.member.suspended': { ...member, role, client_id: id },
  'portal.member.restored': { ...member, role },
  'portal.member.removed': { ...member, role },
  'portal.invitation.sent': { invitation_id: id, role, content_sha256: content },
  'portal.invitation.accepted': { invitation_id: id },
  'portal.invitation.reissued': { invitation_id: id, content_sha256: content },
  'portal.invitation.suspended': { invitation_id: id, client_id: id },
  'portal.invitation.restored': { invitation_id: id },
  'portal.invitation.revoked': { invitation_id: id },
  'portal.agent_grant.granted': { agent_id: id, pillars: names, tiers: names, tools: names },
  'portal.agent_grant.revoked': { agent_id: id },
  'portal.agent_grant.suspended': { agent_id: id, client_id: id },
  'portal.agent_grant.restored': { agent_id: id },
  'portal.tool_policy.changed': { denied_tools: z.array(z.string()), agents_need_grant: z.boolean(), version: z.int() },
  'portal.brand.created': { brand_id: id },
  'portal.brand.renamed': { brand_id: id },
  'portal.brand.archived': { brand_id: id },
} as const;

export const portalGrammar: Grammar = {
  name: 'portal',
  events: Object.entries(payloads).map(([types, shape]) => ({
    types,
    major: 1,
    schema: z.toJSONSchema(z.strictObject(shape)) as Record<string, unknown>,
  })),
};
