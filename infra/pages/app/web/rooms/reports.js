// Reports with their dashboards, reporting cycles and bets.

export { default as reports } from '../views/reports.js';
export { default as report } from '../views/report.js';
export { default as cycles } from '../views/cycles.js';
export { default as cycle } from '../views/cycle.js';
export { default as bets } from '../views/bets.js';
