import { Html, html } from '@steward/kernel';

/** @param form of `oidc-provider`: hidden fields alone, and its end */
export const signOutMain = (form: string): Html =>
  html`<h1>Sign out</h1>
    <p>
      You are signed out of the application. Sign out of this identity provider too, so that nobody signs in as you
      here?
    </p>
    ${new Html(
      form.replace(
        '</form>',
        '<button class="first" name="logout" value="yes">Sign out</button> <button>Stay signed in</button></form>',
      ),
    )}`;

export const signedOutMain = (): Html =>
  html`<h1>You are signed out</h1>
    <p>Close this window, or go back to the application.</p>`;
