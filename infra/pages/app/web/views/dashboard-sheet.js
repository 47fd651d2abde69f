// The form that fills a dashboard from a spreadsheet: loaded when it is opened.

import { Act } from '../lib/state.js';
import { area, closeAround, form } from '../lib/ui.js';
import { t } from '../lib/texts.js';

const COLUMNS = () => ({ rogueId: t('dashboardSheet.kpi'), value: t('dashboardSheet.number'), date: t('dashboardSheet.day') });

export class DashboardSheet {
  /** `changed` takes the dashboard as it is afterwards. */
  constructor(app, params, changed) {
    Object.assign(this, { app, params, changed });
    this.filling = new Act(app.update);
  }

  render() {
    return form({
      act: this.filling, button: t('dashboardSheet.fill'),
      submit: async (body, target) => {
        this.changed(await this.#fill(body));
        closeAround(target);
      },
      content: area('csv', t('dashboardSheet.cellsOfTheSpreadsheet'), {
        id: `sheet-${this.params.dashboardId}`, of: 'fillDashboard', rows: 8, isRequired: true, hint: t('dashboardSheet.theFirstLineNames'),
      }),
    });
  }

  async #fill(body) {
    try {
      return await this.app.api.get('fillDashboard', { params: this.params, body });
    } catch (error) {
      if (error.details?.fields) error.details = { ...error.details, fields: byLine(error.details.fields) };
      throw error;
    }
  }
}

/** Returns what is wrong under the names that a person has for lines and columns; what is wrong with the whole text stays. */
function byLine(fields) {
  return Object.fromEntries(Object.entries(fields).map(([path, rule]) => [nameOf(path), rule]));
}

function nameOf(path) {
  const [, line, column] = /^csv\.(\d+)(?:\.(\w+))?$/.exec(path) ?? [];
  if (!line) return path;
  return column ? t('dashboardSheet.lineColumn', { line, column: COLUMNS()[column] ?? column }) : t('dashboardSheet.line', { line });
}
