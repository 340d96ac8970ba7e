import { html, type Html } from '@steward/kernel';

export interface TenantChoice {
  readonly tenant: string;
  /** What its members call it. */
  readonly label: string;
}

export interface ConsentView {
  readonly client: string;
  /** Where the client says it lives; its name alone proves nothing. */
  readonly clientHome: string;
  readonly redirect: string;
  readonly email: string;
  readonly resources: readonly string[];
  /** It would be taken for the person there. */
  readonly inPerson: boolean;
  /** It asks for scopes of tools, which limit it even there. */
  readonly held: boolean;
  /** What it may do, in words. */
  readonly permissions: readonly string[];
  readonly tenants: readonly TenantChoice[];
  /** The address asked for belongs to this tenant, so there is no choice. */
  readonly bound: string | undefined;
}

export function consentMain(view: ConsentView): Html {
  return html`<h1>Connect ${view.client}?</h1>
    <p>Signed in as <strong>${view.email}</strong>.</p>
    <dl>
      <dt>Who asks</dt>
      <dd>${view.client} (<code>${view.clientHome}</code>)</dd>
      <dt>You will be sent to</dt>
      <dd><code>${view.redirect}</code></dd>
      <dt>It will reach</dt>
      <dd>${view.resources.map((resource) => html`<code>${resource}</code>`)}</dd>
    </dl>
    <p>It will be able to:</p>
    <ul>
      ${view.permissions.map((permission) => html`<li>${permission}</li>`)}
    </ul>
    ${
      view.inPerson
        ? html`<p class="warning">
            Beyond the tool endpoint it acts as you,
            ${
              view.held
                ? 'limited by this list and by your role, but not by your organization’s grants and policy for assistants'
                : 'with everything your role allows, whatever this list says'
            }.
            Allow that to your own programs alone, never to an assistant.
          </p>`
        : html``
    }
    <form method="post">
      ${tenantField(view)}
      <button class="first" name="action" value="allow">Allow</button>
      <button name="action" value="cancel">Deny</button>
      <button name="action" value="switch">Use another account</button>
    </form>`;
}

function tenantField({ tenants, bound }: ConsentView): Html {
  if (bound !== undefined) {
    const label = tenants.find(({ tenant }) => tenant === bound)?.label;
    return label === undefined
      ? html`<p class="warning">
          You are not a member of the organization this address is for. The connection will not work until you are.
        </p>`
      : html`<p>For the organization <strong>${label}</strong>.</p>`;
  }
  if (tenants.length === 0) return html``;
  return html`<fieldset>
    <legend>For which organization?</legend>
    ${tenants.map(
      ({ tenant, label }) => html`<label><input type="radio" name="tenant" value="${tenant}" /> ${label}</label>`,
    )}
    <label><input type="radio" name="tenant" value="" checked /> Let the client choose each time</label>
  </fieldset>`;
}
