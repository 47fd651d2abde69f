// Reports with their dashboards, reporting cycles and bets.

export { default as reports } from '../views/reports/reports.js';
export { default as report } from '../views/reports/report.js';
export { default as cycles } from '../views/reports/cycles.js';
export { default as cycle } from '../views/reports/cycle.js';
export { default as bets } from '../views/reports/bets.js';
