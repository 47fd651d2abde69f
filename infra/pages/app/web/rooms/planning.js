// What a board plans: its year.

export { default as year } from '../views/planning/year.js';
