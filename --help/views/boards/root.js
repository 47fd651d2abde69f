import { html, icon } from '../../lib/ui.js';
import { HOME } from '../../lib/router.js';
import { Example } from './root-example.js';
import { t } from '../../lib/texts.js';

const WAYS = () => [
  [icon('code-bracket'), '/docs', t('root.apiDocumentation'), t('root.everyOperationWithExamplesYouCan')],
  [icon('chart-bar'), '/api/ontology/browse/', t('root.kpiCatalog'), t('root.theFiguresThatBoardsLookAt')],
];

// What a board does beside finding a time.
const WORK = () => [
  [icon('document-text'), t('root.papers'), t('root.chooseTheFiles')],
  [icon('clipboard-document-check'), t('root.minutes'), t('root.writeThemBeside')],
];

export default (app) => new RootView(app);

class RootView {
  title = '';

  constructor(app) {
    this.app = app;
    this.example = new Example(app);
  }

  dispose() {
    this.example.dispose();
  }

  render() {
    return html`
      <div class="hero">
        <h1>${t('root.runYourBoardInOnePlace')}</h1>
        <p class="lead">${t('root.agreeOnATimeThatSuits')}</p>
        <p class="row">${this.app.session.token ? html`<a class="button primary" href=${HOME}>${t('root.goToYourBoards')}</a>` : html`<a class="button primary" href="/app/sign-in">${t('common.signIn')}</a> <a class="button" href="/boards">${t('root.lookAtAnExampleBoard')}</a>`}</p>
      </div>
      ${this.example.render()}
      <ul class="tiles">
        ${WORK().map(([picture, name, text]) => html`<li><div class="tile"><b>${picture} ${name}</b><span>${text}</span></div></li>`)}
        ${WAYS().map(([picture, address, name, text]) => html`<li><a class="tile" href=${address}><b>${picture} ${name}</b><span>${text}</span></a></li>`)}
      </ul>
      <section class="card">
        <h2>${t('root.invited')}</h2>
        <p>${t('root.openTheLinkInYourInvitation')}</p>
      </section>`;
  }
}
