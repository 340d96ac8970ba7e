import { type Guard, pageOf, pageQuery, route, type Route } from '@steward/contract';
import type { Admitted } from '@steward/identity';
import { z } from 'zod';
import type { Ground } from '../ground.ts';
import { ask, type Awaits } from './ask.ts';
import { approveBatch } from './approve-batch.ts';
import { approve } from './approve.ts';
import { states } from './action.ts';
import { described } from './described.ts';
import { edit } from './edit.ts';
import { getAction } from './get.ts';
import { listActions } from './list.ts';
import type { ShownAction } from './present.ts';
import { reject } from './reject.ts';
import { actionId, describedAction, previewHash, shownAction } from './schema.ts';
import { withdraw } from './withdraw.ts';

const tag = 'Pending actions';
const params = z.strictObject({ id: actionId });
const deciding = ['not_human', 'client_not_approver', 'insufficient_scope', 'login_too_old', 'insufficient_role'];
const approving = [...deciding, 'not_found', 'not_pending', 'stale_preview', 'already_approved', 'tool_unavailable'];
const one = { 200: { description: 'The action as it is then.', schema: shownAction } };
const answer = (body: ShownAction) => ({ status: 200, body, headers: { etag: `"${body.previewHash}"` } });

/**
 * Reading and withdrawing are for members, machines and agents too; asking is for people here, and with tools for agents; deciding is for
 * people (see access' `Decider`).
 */
export const actionRoutes = (ground: Ground, guard: Guard<Admitted>, awaits: Awaits): Route[] => [
  route({
    method: 'GET',
    path: '/api/pending-actions',
    does: 'service_list_pending_actions',
    summary: 'List pending actions, newest first',
    description: 'Owners, admins and accountants see all; others what was asked for on their behalf.',
    tag,
    guard,
    query: pageQuery().extend({ state: z.enum(states).optional(), tool: z.string().max(64).optional() }),
    answers: {
      200: {
        description: 'A page of actions.',
        schema: pageOf(describedAction),
      },
    },
    handle: async ({ guard: { context }, query }) => {
      const { items, nextCursor } = await listActions(ground, context, query, query);
      return { status: 200, body: { items: await described(ground, context, items), nextCursor } };
    },
  }),
  route({
    method: 'POST',
    path: '/api/pending-actions',
    does: 'for_people',
    summary: 'Ask for what awaits approval',
    description:
      'Any tool that awaits approval and that the role may use, with a login that may not decide: it is shown to those who may. ' +
      'Agents ask with the tool itself. The same idempotencyKey and arguments answer the same action.',
    tag,
    guard,
    body: z.strictObject({
      tool: z.string().max(64),
      arguments: z.record(z.string(), z.unknown()),
      idempotencyKey: z.string().min(8).max(200).optional(),
    }),
    answers: { 201: { description: 'The action as it is then.', schema: describedAction } },
    errors: ['insufficient_role', 'invalid_arguments', 'idempotency_conflict', 'too_many_pending'],
    handle: async ({ guard: admitted, body }) => {
      const action = await ask(ground, awaits, admitted, body);
      const [shown] = await described(ground, admitted.context, [action]);
      return { ...answer(shown ?? action), status: 201 };
    },
  }),
  route({
    method: 'GET',
    path: '/api/pending-actions/:id',
    does: 'service_get_pending_action',
    summary: 'Read a pending action',
    tag,
    guard,
    params,
    answers: { 200: { description: 'The action as it is now.', schema: describedAction } },
    errors: ['not_found'],
    handle: async ({ guard: { context }, params: { id } }) => {
      const action = await getAction(ground, context, id);
      const [shown] = await described(ground, context, [action]);
      return answer(shown ?? action);
    },
  }),
  route({
    method: 'POST',
    path: '/api/pending-actions/:id/approve',
    does: 'for_people',
    summary: 'Approve an action as it was shown',
    description: 'With the last approval needed it is carried out before the answer leaves.',
    tag,
    guard,
    params,
    body: z.strictObject({ previewHash }),
    answers: one,
    errors: approving,
    handle: async ({ guard: { caller, context }, params: { id }, body }) => {
      ground.decider.require(caller);
      return answer(await approve(ground, context, id, body.previewHash));
    },
  }),
  route({
    method: 'POST',
    path: '/api/pending-actions/:id/edit',
    does: 'for_people',
    summary: 'Give an action other arguments',
    description: 'It gets a new preview; the difference is recorded. With `approve` it is approved as edited.',
    tag,
    guard,
    params,
    body: z.strictObject({
      previewHash,
      arguments: z.record(z.string(), z.unknown()),
      approve: z.boolean().default(false),
    }),
    answers: one,
    errors: [...approving, 'invalid_arguments'],
    handle: async ({ guard: { caller, context }, params: { id }, body }) => {
      ground.decider.require(caller);
      return answer(await edit(ground, context, id, body));
    },
  }),
  route({
    method: 'POST',
    path: '/api/pending-actions/:id/reject',
    does: 'for_people',
    summary: 'Reject an action',
    tag,
    guard,
    params,
    body: z.strictObject({
      reason: z.string().trim().min(1).max(1000).meta({ description: 'Told to whoever asked.' }),
    }),
    answers: one,
    errors: [...deciding, 'not_found', 'not_pending'],
    handle: async ({ guard: { caller, context }, params: { id }, body }) => {
      ground.decider.require(caller);
      return answer(await reject(ground, context, id, body.reason));
    },
  }),
  route({
    method: 'POST',
    path: '/api/pending-actions/:id/withdraw',
    does: 'service_withdraw_pending_action',
    summary: 'Withdraw what one has asked for',
    tag,
    guard,
    params,
    answers: one,
    errors: ['not_found', 'not_pending', 'insufficient_role'],
    handle: async ({ guard: { context }, params: { id } }) => answer(await withdraw(ground, context, id)),
  }),
  route({
    method: 'POST',
    path: '/api/pending-actions/approve',
    does: 'for_people',
    summary: 'Approve several actions, all or none',
    tag,
    guard,
    body: z.strictObject({
      actions: z
        .array(z.strictObject({ id: actionId, previewHash }))
        .min(1)
        .max(100)
        .refine((list) => new Set(list.map(({ id }) => id)).size === list.length, 'names an action twice'),
    }),
    answers: {
      200: { description: 'The actions as they are then.', schema: z.object({ items: z.array(shownAction) }) },
    },
    errors: [...deciding, 'batch_refused'],
    handle: async ({ guard: { caller, context }, body }) => {
      ground.decider.require(caller);
      return { status: 200, body: { items: await approveBatch(ground, context, body.actions) } };
    },
  }),
];
