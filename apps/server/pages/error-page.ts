import { html, type Html } from '@steward/kernel';
import { errorCodes } from '../reference/errors.ts';

/** Where the `type` of a problem leads: every code with its meaning, each at an anchor of its name. */
export const errorMain = (): Html =>
  html`<h1>Error codes</h1>
    <p>
      Programs switch on <code>code</code>. Over HTTP it stands in an <code>application/problem+json</code> document
      (RFC 9457) with this status, whose <code>detail</code> says what to mend; in the result of a tool it is
      <code>error_code</code>, in GraphQL <code>extensions.code</code>.
    </p>
    <table>
      <thead>
        <tr>
          <th>Code</th>
          <th>Status</th>
          <th>Meaning</th>
          <th>Where</th>
        </tr>
      </thead>
      <tbody>
        ${errorCodes().map(
          ({ code, status, title, owner }) =>
            html`<tr id="${code}">
              <td><code>${code}</code></td>
              <td>${String(status)}</td>
              <td>${title}</td>
              <td>${owner}</td>
            </tr>`,
        )}
      </tbody>
    </table>`;
