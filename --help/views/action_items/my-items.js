import { html } from '../../lib/ui.js';
import { MyItems } from './my-items-list.js';
import { t } from '../../lib/texts.js';

export default (app) => new MyItemsView(app);

class MyItemsView {
  title = () => t('common.myActionItems');

  constructor(app) {
    this.app = app;
    this.isAll = new URLSearchParams(location.search).get('all') === 'yes';
    this.#load();
  }

  #load() {
    this.items = new MyItems(this.app, { includeCompleted: this.isAll });
    this.resources = [this.items.list];
  }

  #toggle(isAll) {
    this.isAll = isAll;
    this.app.router.query({ all: isAll ? 'yes' : '' });
    this.#load();
  }

  render() {
    return html`
      <h1>${t('common.myActionItems')}</h1>
      <p><label class="inline"><input type="checkbox" ?checked=${this.isAll} @change=${(event) => this.#toggle(event.target.checked)}> ${t('myItems.showCompletedAndCancelledOnesToo')}</label></p>
      ${this.items.render()}`;
  }
}
