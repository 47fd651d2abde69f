// Charts: glue between a field's value and the plotting library, which is loaded when the first chart is shown.

import { locale } from './texts.js';

const HEIGHT = 220;
const DARK = matchMedia('(prefers-color-scheme: dark)');
const PRINT = matchMedia('print');

/** The charts of a view, drawn into the elements that name them by `data-plot`. */
export class Plots {
  #wanted = new Map();
  #drawn = new Map();
  #library = null;
  #again = () => this.#redraw();

  constructor() {
    for (const media of [DARK, PRINT]) media.addEventListener('change', this.#again);
    this.observer = new ResizeObserver((entries) => entries.forEach(({ target }) => this.#resize(target)));
  }

  dispose() {
    for (const media of [DARK, PRINT]) media.removeEventListener('change', this.#again);
    this.observer.disconnect();
    this.#drawn.forEach(({ plot }) => plot.destroy());
  }

  want(key, data) {
    this.#wanted.set(key, data);
  }

  /** Draws what is wanted and not drawn yet, or drawn from other data. */
  async draw(root) {
    this.root = root;
    const elements = [...root.querySelectorAll('[data-plot]')];
    if (!elements.length) return;
    const UPlot = await this.#load();
    for (const element of elements) this.#drawInto(UPlot, element);
  }

  async #load() {
    this.#library ??= import('../vendor/uplot.js').then((module) => module.default);
    if (!document.querySelector('link[data-plots]')) {
      const link = Object.assign(document.createElement('link'), { rel: 'stylesheet', href: new URL('../vendor/uplot.css', import.meta.url).href });
      link.dataset.plots = '';
      document.head.append(link);
    }
    return this.#library;
  }

  #drawInto(UPlot, element) {
    const key = element.dataset.plot;
    const data = this.#wanted.get(key);
    const signature = JSON.stringify(data);
    const before = this.#drawn.get(key);
    if (!data || (before?.signature === signature && before.element === element)) return;
    before?.plot.destroy();
    const plot = new UPlot(optionsFor(UPlot, data, element), columns(data), element);
    this.#drawn.set(key, { plot, element, signature });
    this.observer.observe(element);
  }

  #resize(element) {
    const drawn = this.#drawn.get(element.dataset.plot);
    const width = element.clientWidth;
    if (drawn && width > 0 && Math.abs(drawn.plot.width - width) > 1) drawn.plot.setSize({ width, height: HEIGHT });
  }

  #redraw() {
    this.#drawn.forEach(({ plot }) => plot.destroy());
    this.#drawn.clear();
    if (this.root) this.draw(this.root);
  }
}

function columns({ labels, series }) {
  return [labels.map((_, index) => index), ...series.map((each) => each.values)];
}

function optionsFor(UPlot, { labels, series, unit, kind }, element) {
  const style = getComputedStyle(element);
  const colour = (name) => style.getPropertyValue(name).trim();
  const axis = { stroke: colour('--soft'), grid: { stroke: colour('--line'), width: 1 }, ticks: { stroke: colour('--line'), width: 1 }, font: '12px system-ui, sans-serif' };
  const short = new Intl.NumberFormat(locale(), { notation: 'compact', maximumFractionDigits: 1 });
  const only = (splits) => splits.map((split) => (Number.isInteger(split) ? (labels[split] ?? '') : ''));
  return {
    width: element.clientWidth || 300, height: HEIGHT, legend: { show: false }, cursor: { show: false },
    scales: { x: { time: false, range: [-0.5, labels.length - 0.5] }, y: { range: spanOf(kind) } },
    axes: [
      { ...axis, values: (_, splits) => only(splits), space: 70, grid: { show: false } },
      { ...axis, values: (_, splits) => splits.map((split) => short.format(split)), size: 60, label: unit || undefined, labelSize: unit ? 22 : 0, labelFont: '12px system-ui, sans-serif' },
    ],
    series: [{}, ...series.map((each, index) => seriesOf(UPlot, each, colour(`--series-${index % 6}`), kind))],
  };
}

/** Bars begin at zero; lines use the room that the values need. */
function spanOf(kind) {
  return (_, low, high) => {
    const margin = (high - low || Math.abs(high) || 1) * 0.1;
    return kind === 'bar' ? [Math.min(0, low - (low < 0 ? margin : 0)), Math.max(0, high + margin)] : [low >= 0 && low - margin < 0 ? 0 : low - margin, high + margin];
  };
}

function seriesOf(UPlot, { name }, stroke, kind) {
  const bars = kind === 'bar' ? { paths: UPlot.paths.bars({ size: [0.6, 48] }), fill: stroke, points: { show: false } } : { points: { size: 6, fill: stroke } };
  return { label: name, stroke, width: 2, spanGaps: true, ...bars };
}
