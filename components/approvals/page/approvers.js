import { refused } from './refusal.js';
import { alert, say } from './screen.js';
import { session } from './session.js';
import { el } from './show.js';

/** Where two people are needed and there are not two: what the organization can do about it. */
export function tooFew(organization, { available }, anew) {
  if (available === null || available.approvers > 1) return undefined;
  if (available.alone)
    return el('p', {}, 'Only one member may approve this, and the policy lets that person decide alone.');
  const none = available.approvers === 0;
  const words = none
    ? 'This takes two people, and no member of the organization may approve it. Invite two who may: it waits until then.'
    : 'This takes two people, and only one member of the organization may approve it. It waits until a second is invited who may';
  if (none) return alert(words);
  if (organization.role !== 'owner') return alert(`${words}, or an owner allows the only approver to decide alone.`);
  const button = el(
    'button',
    {
      type: 'button',
      onclick: async () => {
        button.disabled = true;
        say('Changing the approval policy…');
        const tenant = organization.id;
        try {
          const policy = await session.ask('GET', '/approval-policy', { tenant });
          await session.ask('PUT', '/approval-policy', { tenant, body: { ...policy, soleApprover: true } });
          await anew(
            'The only approver may decide alone from now on. Nothing was approved by that: decide below. As the policy has changed, you are asked twice.',
          );
        } catch (error) {
          button.disabled = false;
          await refused(error, button, anew);
        }
      },
    },
    'Allow the only approver to decide alone',
  );
  return el(
    'section',
    {},
    alert(`${words}, or you allow the only approver to decide alone, from now on and for every action.`),
    button,
  );
}
