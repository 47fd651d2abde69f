// The cells of a chart or a table: typed one by one, or pasted from a spreadsheet.

import { cellsOf, pasted, withoutColumn, withoutRow } from '../../lib/typed-cells.js';
import { asTyped } from '../../lib/typed-numbers.js';
import { html, live, nothing } from '../../lib/ui.js';
import { t } from '../../lib/texts.js';

const EXAMPLE = '1234.50';

export class FigureGrid {
  /** `draft` has the grid; `typed` is called when a cell was typed, `changed` when more than that changed. */
  constructor(app, id, draft, { typed, changed }) {
    Object.assign(this, { app, id, draft, typed, changed });
  }

  render(error) {
    const { grid, kind } = this.draft;
    const [heading, ...rows] = grid;
    return html`
      <p class="hint" id="${this.id}-rule">${kind === 'chart' ? t('figureGrid.aRowForEachPeriod') : t('figureGrid.theFirstRowIsTheHeading')} ${t('figureGrid.pasteCells', { example: asTyped(EXAMPLE) })}</p>
      <div class="table-scroll" role="group" aria-label=${this.draft.label || t('figureEditor.theFigure')} aria-describedby="${this.id}-rule"
        @paste=${(event) => this.#paste(event)} @keydown=${(event) => this.#key(event)}>
        <table class="cells">
          <tr>${heading.map((cell, column) => html`<th scope="col">${this.#cell(cell, 0, column, error)}</th>`)}<td></td></tr>
          ${rows.map((row, index) => html`
            <tr>${row.map((cell, column) => html`<td>${this.#cell(cell, index + 1, column, error)}</td>`)}
              <td>${rows.length > 1 ? html`<button type="button" class="small plain" aria-label=${t('figureGrid.removeRow', { row: index + 2 })} @click=${() => this.#set(withoutRow(grid, index + 1))}>×</button>` : nothing}</td></tr>`)}
          <tr>${heading.map((_, column) => html`<td>${heading.length > 2 && (column || kind === 'table') ? html`<button type="button" class="small plain" aria-label=${t('figureGrid.removeColumn', { column: column + 1 })} @click=${() => this.#set(withoutColumn(grid, column))}>×</button>` : nothing}</td>`)}<td></td></tr>
        </table>
      </div>
      ${error?.at === 'cell' ? html`<p class="field-error" id="${this.id}-error" role="alert">${t('figureGrid.noNumber', { row: error.row + 1, column: error.column + 1 })}</p>` : nothing}
      <p class="row">
        <button type="button" class="small" @click=${() => this.#grow(1, 0)}>${t('figureGrid.addARow')}</button>
        <button type="button" class="small" @click=${() => this.#grow(0, 1)}>${t('figureGrid.addAColumn')}</button>
      </p>`;
  }

  #cell(cell, row, column, error) {
    const isWrong = error?.at === 'cell' && error.row === row && error.column === column;
    return html`<input data-row=${row} data-column=${column} aria-label=${t('figureGrid.rowColumn', { row: row + 1, column: column + 1 })} aria-invalid=${isWrong ? 'true' : nothing}
      aria-describedby=${isWrong ? `${this.id}-error` : nothing} autocomplete="off" .value=${live(cell)} @input=${({ target }) => this.#type(row, column, target.value)}>`;
  }

  #type(row, column, text) {
    this.draft.grid[row][column] = text;
    this.typed();
  }

  #set(grid) {
    this.draft.grid = grid;
    this.changed();
  }

  /** Adds an empty row or column at the end. */
  #grow(rows, columns) {
    const { grid } = this.draft;
    const larger = pasted(grid, grid.length - 1 + rows, grid[0].length - 1 + columns, [['']]);
    if (larger) this.#set(larger);
    else this.app.say(t('figureGrid.tooManyCells'));
  }

  /** Several cells are written over those from the focused one on; what is one cell is typed text. */
  #paste(event) {
    const { row, column } = event.target.dataset;
    const cells = cellsOf(event.clipboardData.getData('text/plain'));
    if (row === undefined || (cells.length === 1 && cells[0].length === 1)) return;
    event.preventDefault();
    const grid = pasted(this.draft.grid, Number(row), Number(column), cells);
    if (!grid) return this.app.say(t('figureGrid.tooManyCells'));
    this.#set(grid);
    this.app.say(t('figureGrid.rowsWerePasted', { number: cells.length }));
  }

  /** The arrow keys and Enter lead to the cell above or below. */
  #key(event) {
    const by = { ArrowDown: 1, Enter: 1, ArrowUp: -1 }[event.key];
    const { row, column } = event.target.dataset;
    if (!by || row === undefined || event.altKey) return;
    const to = event.currentTarget.querySelector(`[data-row="${Number(row) + by}"][data-column="${column}"]`);
    if (!to) return;
    event.preventDefault();
    to.focus();
    to.select();
  }
}
