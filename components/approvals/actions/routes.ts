import { restOf } from '@steward/access';
import { type Guard, pageOf, route, type Route } from '@steward/contract';
import type { Admitted } from '@steward/identity';
import { z } from 'zod';
import type { Deps } from '../deps.ts';
import { toolArguments } from './arguments.ts';
import { ask, type Awaits } from './ask.ts';
import { approveBatch } from './approve-batch.ts';
import { approve } from './approve.ts';
import { edit } from './edit.ts';
import { readAction } from './get.ts';
import { listActionsLike } from './list.ts';
import { reject } from './reject.ts';
import { actionSummary, proposedAction, type ShownAction } from './schema.ts';
import { withdraw } from './withdraw.ts';

const tag = 'Pending actions';
const sends = ({ previewHash }: ShownAction) => ({ etag: `"${previewHash}"` });
const one = { answers: { 200: 'The action afterwards.' }, sends } as const;

/**
 * Reading and withdrawing are for members, machines and agents too; asking is for people here, and with tools for agents; deciding is for
 * people (see access' `Decider`).
 */
export function actionRoutes(deps: Deps, guard: Guard<Admitted>, awaits: Awaits): Route[] {
  const rest = restOf({ guard, tag, ports: deps });
  return [
    rest('GET', '/api/pending-actions', listActionsLike, {
      summary: 'List pending actions, newest first',
      description:
        'Owners, admins and accountants see all actions; other members see those that were proposed on their behalf.',
      answers: { 200: 'A page of actions.' },
    }),
    rest('GET', '/api/pending-actions/summaries', listActionsLike, {
      summary: 'List pending actions in short, newest first',
      description:
        'As the list of actions, without arguments, preview, facts and result, which make up most of it: for what shows many.',
      answers: { 200: 'A page of summaries.' },
      shows: {
        schema: pageOf(actionSummary),
        of: ({ items, nextCursor }) => ({ items: items.map((one) => actionSummary.parse(one)), nextCursor }),
      },
    }),
    route({
      method: 'POST',
      path: '/api/pending-actions',
      does: 'for_people',
      summary: 'Propose an action',
      description:
        'Proposes a call of a tool that needs approval and that your role may use; a login that may not decide is enough. ' +
        'Approvers decide about it. Agents propose by calling the tool itself. Repeating the same idempotencyKey and ' +
        'arguments answers the same action.',
      tag,
      guard,
      body: z.strictObject({
        tool: z.string().max(64),
        arguments: toolArguments,
        idempotencyKey: z.string().min(8).max(200).optional(),
      }),
      answers: { 201: { description: 'The action afterwards.', schema: proposedAction } },
      errors: [
        'insufficient_role',
        'invalid_arguments',
        'nothing_to_approve',
        'idempotency_conflict',
        'too_many_pending',
      ],
      handle: async ({ guard: admitted, body }) => {
        const shown = await ask(deps, awaits, admitted, body);
        return { status: 201, body: shown, headers: sends(shown) };
      },
    }),
    rest('GET', '/api/pending-actions/:id', readAction, {
      summary: 'Read a pending action',
      answers: { 200: 'The action as it is now.' },
      sends,
    }),
    rest('POST', '/api/pending-actions/:id/approve', approve, {
      summary: 'Approve an action as it was shown',
      description: 'With the last approval needed it is carried out before the answer leaves.',
      ...one,
    }),
    rest('POST', '/api/pending-actions/:id/edit', edit, {
      summary: 'Give an action other arguments',
      description:
        'The action gets a new preview, and the audit log records the difference. With `approve`, the call also approves ' +
        'the edited action.',
      ...one,
    }),
    rest('POST', '/api/pending-actions/:id/reject', reject, { summary: 'Reject an action', ...one }),
    rest('POST', '/api/pending-actions/:id/withdraw', withdraw, {
      summary: 'Withdraw an action that you proposed',
      ...one,
    }),
    rest('POST', '/api/pending-actions/approve', approveBatch, {
      summary: 'Approve several actions, all or none',
      answers: { 200: 'The actions afterwards.' },
    }),
  ];
}
