import { html, type Html } from '@steward/kernel';

export function errorMain(code: string, description: string | undefined): Html {
  return html`<h1>This did not work</h1>
    <p role="alert">${description ?? 'The request could not be completed.'}</p>
    <p class="note">Code: <code>${code}</code>. Go back to the application and start again.</p>`;
}
