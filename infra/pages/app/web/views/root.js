import { html } from '../lib/ui.js';

const WAYS = [
  ['/docs', 'API documentation', 'Every operation, with examples you can try.'],
  ['/api/ontology/browse/', 'KPI catalog', 'The figures that boards look at: what each means, how it is computed.'],
];

export default (app) => ({
  title: '',
  render: () => html`
    <div class="hero">
      <h1>Run your board in one place</h1>
      <p class="lead">Agree on a time that suits most, keep track of who does what, and read the figures before the meeting.</p>
      <p class="row">
        ${app.session.token ? html`<a class="button primary" href="/boards">Your boards</a>` : html`<a class="button primary" href="/app/sign-in">Sign in</a>`}
      </p>
    </div>
    <ul class="tiles">
      ${WAYS.map(([address, name, text]) => html`<li><a class="tile" href=${address}><b>${name}</b><span>${text}</span></a></li>`)}
    </ul>
    <section class="card">
      <h2>Invited?</h2>
      <p>Open the link in your invitation. If you were asked to vote on a date as a guest, the link in that mail is all you need: you do not have to sign in.</p>
    </section>`,
});
