import { html } from '../lib/ui.js';

export default () => ({
  title: 'No such page',
  render: () => html`
    <div class="narrow card">
      <h1>There is no such page</h1>
      <p>The address may be mistyped, or what it led to has been deleted.</p>
      <p class="row"><a class="button primary" href="/boards">Your boards</a> <a class="button" href="/">About this service</a></p>
    </div>`,
});
