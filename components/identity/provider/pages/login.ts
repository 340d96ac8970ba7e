import { html, type Html } from '@steward/kernel';

export interface LoginView {
  readonly client: string;
  /** Filled in: what the client suggested, or what was refused. */
  readonly email: string;
  readonly fault: string | undefined;
}

export function loginMain({ client, email, fault }: LoginView): Html {
  const problem = fault === undefined ? html`` : html`<p class="warning" role="alert" id="fault">${fault}</p>`;
  return html`<h1>Sign in</h1>
    <p>to continue to <strong>${client}</strong></p>
    ${problem}
    <form method="post">
      <label for="email">E-mail address</label>
      <input
        id="email"
        name="email"
        type="email"
        value="${email}"
        autocomplete="username"
        required
        maxlength="254"
        autofocus
        aria-describedby="hint"
      />
      <p class="note" id="hint">Any address will do; the same address is always the same person.</p>
      <button class="first" name="action" value="login">Sign in</button>
      <button name="action" value="cancel" formnovalidate>Cancel</button>
    </form>`;
}
