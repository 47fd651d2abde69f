// A small line of a KPI's figures over time: which figures it has, and where it goes.

/** Returns the number that a field states; null for a placeholder or anything but a number. */
function numberOf(field) {
  return !field.isStub && typeof field.value === 'number' ? field.value : null;
}

/** Returns the figures of each KPI in dashboards of published reports, by day: `{kpi: [{day, value}]}`; of a day the first counts. */
export function figuresByKpi(dashboards) {
  const found = {};
  for (const { uniform } of dashboards) {
    for (const field of uniform?.dataAnchorDate ? [...uniform.fields].sort((one, other) => one.displayOrder - other.displayOrder) : []) {
      const value = numberOf(field);
      if (value === null || !field.rogueId) continue;
      const points = (found[field.rogueId] ??= []);
      if (!points.some(({ day }) => day === uniform.dataAnchorDate)) points.push({ day: uniform.dataAnchorDate, value });
    }
  }
  for (const points of Object.values(found)) points.sort((one, other) => one.day.localeCompare(other.day));
  return found;
}

/** Returns the points of a line through values, as SVG writes them, in a box of this size; "" for fewer than two. */
export function linePoints(values, width, height) {
  if (values.length < 2) return '';
  const low = Math.min(...values), span = Math.max(...values) - low;
  const x = (at) => (at * width) / (values.length - 1);
  const y = (value) => (span ? height - ((value - low) * height) / span : height / 2);
  return values.map((value, at) => `${round(x(at))},${round(y(value))}`).join(' ');
}

const round = (number) => Math.round(number * 10) / 10;
