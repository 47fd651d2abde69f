// A board to try everything on, with made-up members; nobody is mailed from it.

import { Problem } from '../../lib/problems.js';
import { Act } from '../../lib/state.js';
import { actProblem, html, nothing } from '../../lib/ui.js';
import { t } from '../../lib/texts.js';

const CREATE = ['createExampleBoard'];
const TRIES = 15;
const PAUSE_MS = 1500;

export class ExampleBoard {
  actions = [CREATE];

  constructor(app) {
    this.app = app;
    this.creating = new Act(app.update);
  }

  render() {
    if (!this.app.access.may(...CREATE)) return nothing;
    return html`
      <section class="card">
        <h2>${t('exampleBoard.lookAroundFirst')}</h2>
        <p>${t('exampleBoard.theExampleBoardHasMadeUp')}</p>
        <p class="row"><button type="button" ?disabled=${this.creating.isBusy} @click=${() => this.#create()}>${this.creating.isBusy ? t('exampleBoard.theBoardIsBeingFilled') : t('exampleBoard.openTheExampleBoard')}</button></p>
        ${actProblem(this.creating)}
      </section>`;
  }

  #create() {
    return this.creating.run(async () => {
      const board = await this.app.api.get('createExampleBoard', { key: this.creating.keyFor({}) }).catch(refused);
      if (!(await this.#isFilled(board))) this.app.say(t('exampleBoard.theExampleBoardIsBeingFilled'));
      this.app.go(`/boards/${board.id}`);
    });
  }

  /** Waits a while for the notification that says so; whether it came. */
  async #isFilled({ id }) {
    for (let tried = 0; tried < TRIES; tried += 1) {
      const news = await this.app.api.call('listNotifications').catch(() => []);
      if (news.some(({ type, boardId }) => type === 'example_board_ready' && boardId?._id === id)) return true;
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
    return false;
  }
}

/** There is one example board for a user: the limit is said as what it is. @returns {never} */
function refused(error) {
  if (error.status !== 409) throw error;
  throw new Problem({ status: 400, message: t('exampleBoard.youHaveAnExampleBoardAlready') });
}
