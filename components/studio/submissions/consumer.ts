import type { Consumer } from '@steward/bus';
import { isNews } from '@steward/mail';
import { notify, type NotificationPorts } from '../notifications/notify.ts';
import { project } from './project.ts';
import { submittedOf, submittedType } from './submitted.ts';

/**
 * Takes commerce's announcements: the studio's list and the emails to whom the form names, in one transaction. A submission
 * that cannot be handled becomes a dead email, so that it does not keep its tenant from hearing of the next one.
 */
export const submissionConsumer = (ports: NotificationPorts): Consumer => ({
  name: 'studio.submissions',
  types: [submittedType],
  onFailure: 'dead-letter',
  handle: async (tx, event) => {
    const submitted = submittedOf(event);
    await project(tx, submitted);
    if (isNews(new Date(submitted.at))) await notify(tx, ports, submitted);
  },
});
