// A report with its dashboards: figures by hand and from a spreadsheet, checks, who may edit.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { load } from './load.mjs';
import { ME, at, example, open, ownInstant, refusal, settled } from './screen.mjs';

const { dateTime } = await load('dates');
const HERE = at('reports/:id');
const [DASHBOARD] = example('listDashboards');
const [OTHER] = example('listMembers').filter(({ userId }) => userId !== ME.id);
const ENTRIES = [
  { rogueId: 'finance.revenue', label: 'Revenue', aliases: [] }, { rogueId: 'revenue.arr', label: 'ARR', aliases: [] },
  { rogueId: 'finance.gross-profit', label: 'Gross profit', aliases: ['Gross income'] },
];
const KPI = { rogueId: 'finance.gross-profit', label: 'Gross profit', unit: 'currency', definition: '' };

globalThis.fetch = async (path) => Response.json(path.endsWith('search.json') ? { entries: ENTRIES } : { kpi: KPI });

const figure = (fieldId, value, more = {}) => ({ fieldId, rogueId: null, isStub: false, label: fieldId, displayOrder: 1, value, widget: { type: 'number', options: {} }, ...more });
const dashboardOf = (...fields) => ({ ...DASHBOARD, uniform: { ...DASHBOARD.uniform, reviewStatus: 'working', fields: fields.map((field, index) => ({ ...field, displayOrder: index + 1 })) } });
const NO_CHECKS = { getDashboardChecks: { ...example('getDashboardChecks'), checks: [], fields: [] }, listDashboardFlags: [] };

/** Shows a report of one dashboard, held as `held.dashboard`, which is changed as the API does. */
async function reportOf(dashboard, answers = {}, options = {}) {
  const held = { dashboard };
  const change = ({ body }) => (held.dashboard = { ...held.dashboard, ...body, uniform: { ...held.dashboard.uniform, ...body.uniform } });
  const screen = await open(HERE, { listDashboards: () => [held.dashboard], getDashboard: () => held.dashboard, updateDashboard: change, ...NO_CHECKS, ...answers }, options);
  return { held, screen };
}

/** Opens the figures of a dashboard to fill them in. */
async function filling(dashboard, answers, options) {
  const { held, screen } = await reportOf(dashboard, answers, options);
  await screen.click('Fill by hand');
  await screen.until(() => screen.one('.figure-row'));
  const values = () => held.dashboard.uniform.fields.map(({ value }) => value);
  const type = async (text, row = 0) => screen.fill(`#${screen.all('.figure-row [id$=-value]')[row].id}`, text);
  return { held, screen, values, type };
}

test('half of a number is not saved, and the editor is not left with it', async () => {
  const { screen, values, type } = await filling(dashboardOf(figure('Guests', 1)));
  const [field] = screen.all('.figure-row [id$=-value]');
  field.value = '12x';
  field.dispatchEvent(new Event('input', { bubbles: true }));
  await settled();
  assert.match(screen.text('.dashboard'), /Not saved yet\./);
  await screen.click('Done');
  assert.match(screen.text('.dashboard'), /This is not a number\./);
  assert.deepEqual([values(), screen.sent], [[1], []]);
  await type('12');
  await screen.until(() => screen.text('.dashboard').includes('Everything is saved.'));
  assert.deepEqual(values(), [12]);
});

test('a KPI is found by an alias, and names its figure', async () => {
  const { screen, values } = await filling(dashboardOf(figure('Guests', 1)));
  await screen.click('Add a figure');
  await screen.fill('.figure-row:last-child [role=combobox]', 'gross inc');
  await screen.until(() => screen.one('.figure-row:last-child [role=option]'));
  await screen.press(screen.one('.figure-row:last-child [role=option]'));
  await screen.until(() => screen.one('.figure-row:last-child [id$=-label]').value === 'Gross profit');
  await screen.fill('.figure-row:last-child [id$=-value]', '12.50');
  await screen.until(() => values().length === 2);
  const [, { uniform: { fields: [, { rogueId, label, value }] } }] = screen.sent.at(-1);
  assert.deepEqual([rogueId, label, value], ['finance.gross-profit', 'Gross profit', 12.5]);
});

test('figures are moved by keys, and taken out after a question', async () => {
  const { held, screen } = await filling(dashboardOf(...['A', 'B', 'C'].map((name) => figure(name, 1))));
  const saved = () => [...held.dashboard.uniform.fields].sort((one, other) => one.displayOrder - other.displayOrder).map(({ fieldId }) => fieldId).join('');
  screen.all('.figure-row [id$=-label]')[2].dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowUp', altKey: true, bubbles: true }));
  await screen.until(() => saved() === 'ACB');
  const [first, , third] = screen.all('.figure-row');
  for (const [target, type] of [[first, 'dragstart'], [third, 'dragover'], [first, 'dragend']]) target.dispatchEvent(Object.assign(new Event(type, { bubbles: true, cancelable: true }), { dataTransfer: { setData() {}, types: [] } }));
  await screen.until(() => saved() === 'CBA');
  await screen.press(screen.one('.figure-row .confirm button'));
  await screen.click('Remove the figure', '.figure-row .confirm-box');
  await screen.until(() => saved() === 'BA');
});

test('what another saved meanwhile is shown before anything is written over', async () => {
  let isTheirs = false;
  const { held, screen, type } = await filling(dashboardOf(figure('Guests', 1)), {
    updateDashboard: ({ body }) => {
      if (isTheirs) { isTheirs = false; held.dashboard = dashboardOf(figure('Guests', 5)); throw refusal(412); }
      return (held.dashboard = { ...held.dashboard, uniform: { ...held.dashboard.uniform, ...body.uniform } });
    },
  });
  const value = () => held.dashboard.uniform.fields[0].value;
  isTheirs = true;
  await type('111');
  await screen.sees('Somebody else has written, too.', '.notice[role=alert]');
  assert.match(screen.text('.notice[role=alert]'), /Guests: 5.*Guests: 111/);
  assert.equal(value(), 5);
  await screen.click('Keep yours');
  await screen.until(() => value() === 111);
  isTheirs = true;
  await type('222');
  await screen.sees('Somebody else has written, too.', '.notice[role=alert]');
  await screen.click('Take theirs');
  assert.deepEqual([screen.one('.figure-row [id$=-value]').value, value()], ['5', 5]);
});

test('an editor fills in figures and edits; who may change nothing is offered nothing', async () => {
  const ofEditor = ['updateDashboard', 'getDashboardAccess'];
  const editor = await reportOf(dashboardOf(figure('Guests', 1)), {}, { may: (name) => ofEditor.includes(name) });
  await editor.screen.until(() => editor.screen.offered('.dashboard').includes('Fill by hand'));
  assert.deepEqual(editor.screen.offered('.dashboard').filter((words) => words.includes('reviewed')), []);
  await editor.screen.open('.dashboard .disclosure');
  const { screen } = await reportOf(dashboardOf(figure('Guests', 1)), {}, { may: () => false });
  assert.deepEqual(screen.offered(), ['Print', 'Who may edit']);
});

test('a dashboard that another changed meanwhile is shown as it is before it is saved over', async () => {
  let isTheirs = true;
  const { screen } = await reportOf({ ...dashboardOf(), title: 'Before' }, {
    getDashboard: { ...dashboardOf(), title: 'Theirs' },
    updateDashboard: ({ body }) => { if (isTheirs) { isTheirs = false; throw refusal(412); } return { ...dashboardOf(), title: body.title }; },
  });
  await screen.open('.dashboard .disclosure');
  await screen.fill('.dashboard input[name=title]', 'Mine');
  await screen.click('Save', '.dashboard');
  await screen.sees('Theirs', '.dashboard h2');
  await screen.click('Save', '.dashboard');
  await screen.sees('Mine', '.dashboard h2');
});

test('a figure that contradicts others says so until that is dismissed with a reason', async () => {
  const checks = example('getDashboardChecks');
  const flag = example('listDashboardFlags')[0];
  const answers = { listDashboards: [DASHBOARD], getDashboardChecks: checks, listDashboardFlags: [flag], putDashboardFlagDismissal: ({ body }) => ({ ...flag, status: 'dismissed', dismissal: { ...flag.dismissal, reason: body.reason, byUserId: ME.id } }) };
  const { screen } = await reportOf(DASHBOARD, answers);
  await screen.sees('You state 4,820,000. 400,000 × 12 is 4,800,000.', '.check.notice');
  await screen.open('.check.notice details');
  await screen.fill('.check.notice textarea', 'Rounded by hand');
  await screen.press(screen.one('.check.notice form button'));
  assert.deepEqual(screen.sent, [['putDashboardFlagDismissal', { reason: 'Rounded by hand' }]]);
});

/** Opens the form of a dashboard that is filled from a spreadsheet; `fill` is what the API answers. */
async function sheetOf(fill, dashboard = dashboardOf(figure('cash', 1)), options = {}) {
  const { held, screen } = await reportOf(dashboard, { putDashboardFigures: fill }, options);
  for (const details of screen.all('.dashboard .disclosure')) if (details.textContent.includes('Fill from a spreadsheet')) details.id = 'sheet';
  await screen.open('#sheet');
  await screen.until(() => screen.one('#sheet textarea'));
  const paste = (text) => screen.fill('#sheet textarea', text);
  return { held, screen, paste };
}

const SHEETS = {
  'German thousands behind tabs': 'KPI\tWert\tDatum\nRevenue\t1.250\t31.03.2027\n',
  'a decimal comma in another line': 'KPI\tWert\tDatum\nRevenue\t1.250\t31.03.2027\nOperating expenses\t980,50\t31.03.2027',
  'a line that states the separator': 'sep=;\nKPI;value;date\nRevenue;1250;31.12.2025\n',
  'quotes and blanks': ' "KPI" ; value;date;\n"Total; income"; "1,250.50" ;2027-03-31;\n',
  'columns that nobody knows': 'KPI,Q2,Change,value,date\nRevenue,1,2,3,2027-03-31',
};

for (const [kind, text] of Object.entries(SHEETS)) {
  test(`what is pasted reaches the API as it was delimited: ${kind}`, async () => {
    const { screen, paste } = await sheetOf(() => dashboardOf(figure('cash', 2)));
    assert.ok(screen.button('Fill the dashboard', '#sheet').disabled);
    await paste(text);
    await screen.sees('Figures as of', '#sheet');
    await screen.click('Fill the dashboard', '#sheet');
    await screen.until(() => screen.sent.length === 2);
    assert.deepEqual(screen.sent, [['putDashboardFigures', { csv: text, dryRun: true }], ['putDashboardFigures', { csv: text }]]);
  });
}

test('the figures that would change are shown as the API reads them, each with what it was', async () => {
  const filled = dashboardOf(figure('cash', 1250.5), figure('same', 7), figure('Revenue', 3, { rogueId: 'finance.revenue' }));
  const { screen, paste } = await sheetOf(() => ({ ...filled, uniform: { ...filled.uniform, dataAnchorDate: '2027-03-31' } }), dashboardOf(figure('cash', 1), figure('same', 7)));
  await paste('KPI\tvalue\tdate\n…');
  await screen.sees('Figures as of 31 Mar 2027.', '#sheet');
  assert.deepEqual(screen.all('#sheet tbody tr').map((row) => [...row.children].map((cell) => cell.textContent.trim())), [['cash', '1', '1,250.5'], ['Revenue', '–', '3']]);
});

test('what may be thousands or decimals is asked, and the answer is sent beside what was pasted', async () => {
  const unclear = 'must tell thousands from decimals; write it without a separator of thousands, or send `decimal`';
  const { screen, paste } = await sheetOf(({ body }) => {
    if (body.decimal) return dashboardOf(figure('cash', 1250));
    throw refusal(400, { code: 'INVALID_REQUEST_BODY', fields: { 'csv.2.value': unclear } });
  });
  const text = SHEETS['German thousands behind tabs'];
  await paste(text);
  await screen.sees('This can be read as thousands or as decimals', '#sheet [role=alert]');
  assert.match(screen.text('#sheet [role=alert]'), /Line 2: Revenue 1\.250 31\.03\.2027/);
  assert.ok(screen.button('Fill the dashboard', '#sheet').disabled);
  await screen.fill('#sheet select[name=decimal]', ',');
  await screen.sees('Figures as of', '#sheet');
  assert.equal(screen.one('#sheet [role=alert]'), null);
  assert.deepEqual(screen.sent.at(-1), ['putDashboardFigures', { csv: text, decimal: ',', dryRun: true }]);
});

test('each line that the API refuses is named as it was pasted, and nothing is left out silently', async () => {
  const fields = { 'csv.3.rogueId': '`No such thing` is neither the id nor a name of a KPI of the released catalog; similar ones: `a.b`, `c.d`', 'csv.4.value': 'must not have a currency: `people.headcount` is not an amount of money' };
  const { screen, paste } = await sheetOf(() => { throw refusal(400, { code: 'INVALID_REQUEST_BODY', fields }); });
  await paste('KPI\tvalue\tdate\nARR\t4\t2027-03-31\nNo such thing\t2\t2027-03-31\nHeadcount\t€ 3\t2027-03-31');
  await screen.sees('Line 3', '#sheet');
  assert.match(screen.text('#sheet [role=alert]'), /Line 3: No such thing 2 2027-03-31 The catalog has no KPI “No such thing”\. Similar ones: a\.b, c\.d/);
  assert.match(screen.text('#sheet [role=alert]'), /Line 4: Headcount € 3 2027-03-31 This KPI is not an amount of money\./);
  assert.equal(screen.one('#sheet select'), null);
});

test('amounts that have no currency get the one of the report, and others keep theirs', async () => {
  const amount = (fieldId, options) => figure(fieldId, 5, { rogueId: 'finance.revenue', widget: { type: 'currency', options } });
  const filled = dashboardOf(amount('open', {}), amount('named', { currency: 'USD' }));
  const { held, screen, paste } = await sheetOf(() => filled);
  await paste('KPI\tvalue\tdate\n…');
  await screen.sees('Currency', '#sheet');
  await screen.fill('#sheet input', 'chf');
  held.dashboard = filled;
  await screen.click('Fill the dashboard', '#sheet');
  await screen.until(() => screen.sent.length === 3);
  assert.deepEqual(screen.sent[2][1].uniform.fields.map(({ widget }) => widget.options.currency), ['CHF', 'USD']);
});

test('who owns a dashboard lets others edit, ends that, and hands it over', async () => {
  const access = { ...example('getDashboardAccess'), ownerUserId: ME.id, editors: [] };
  const editor = { userId: OTHER.userId, grantedByUserId: ME.id, grantedAt: '2026-11-26T12:00:00.000Z' };
  const { screen } = await reportOf(dashboardOf(figure('cash', 1)), {
    getDashboardAccess: access, grantDashboardAccess: { ...access, editors: [editor] }, transferDashboardOwnership: { ...access, ownerUserId: OTHER.userId },
    listMembers: example('listMembers').map((member) => (member.userId === OTHER.userId ? { ...member, adminRole: 'member', accessType: 'guest' } : member)),
  });
  for (const details of screen.all('.dashboard details')) if (details.firstElementChild.textContent === 'Who may edit') details.id = 'access';
  await screen.open('#access');
  await screen.sees('Olivia Marsh owns this dashboard.', '#access');
  await screen.open('.access .disclosure');
  await screen.click('Allow them to edit', '.access');
  await screen.open('.access .menu');
  await screen.confirm('End the right', 'End the right', '.access');
  await screen.open('.access > .disclosure:last-of-type');
  await screen.click('Hand over', '.access form');
  assert.deepEqual(screen.sent, [['grantDashboardAccess'], ['revokeDashboardAccess'], ['transferDashboardOwnership', { userId: OTHER.userId }]]);
});

test('a bet shows its target, and is created with its figure', async () => {
  const screen = await open(at('bets'), { createBet: ({ body }) => ({ ...example('createBet'), ...body, id: 'new', title: 'We stay few' }) });
  await screen.open('.disclosure');
  for (const [field, value] of [['title', 'We stay few'], ['dueOn', '2026-12-26'], ['rogueId', 'people.headcount'], ['bound', 'atMost'], ['aim', '70']]) await screen.fill(`#f-${field}`, value);
  await screen.click('Create the target');
  assert.match(screen.text('.rows'), /We stay few/);
  const [[, { title, dueOn, rogueId, target }]] = screen.sent;
  assert.deepEqual([title, dueOn, rogueId, target.atMost ?? target], ['We stay few', '2026-12-26', 'people.headcount', 70]);
});

test('a package of which sections are not reviewed is not published without that being said', async () => {
  const screen = await open(at('cycles/:id'), { publishReportingCycle: () => { throw refusal(409, { reason: 'SECTIONS_NOT_REVIEWED', message: 'Some sections are not reviewed.' }); } });
  assert.match(screen.text(), /reminder on/);
  await screen.click('Publish the report');
  assert.match(screen.main.textContent, /Some sections are not reviewed/);
});

test('a cycle is not offered a form without a report that it can be of, but the way to one', async () => {
  const finalized = example('listReports').map((report) => ({ ...report, status: 'finalized' }));
  for (const listReports of [[], finalized]) {
    const screen = await open(at('cycles'), { listReports });
    await screen.open('.disclosure');
    assert.match(screen.text('.disclosure'), /create one first/);
    assert.equal(screen.one('.disclosure a').getAttribute('href'), at('reports'));
    assert.equal(screen.one('#f-dueAt'), null);
  }
});

test('a package is asked for: its report is chosen, its owners are asked once, and it is published after a question', async () => {
  const report = { ...example('listReports')[0], status: 'draft' };
  const list = await open(at('cycles'), { listReports: [report], listReportingCycles: [] });
  await list.open('.disclosure');
  await list.fill('#f-name', 'Package of the year');
  await list.fill('#f-reportId', report.id);
  await list.fill('#f-dueAt', '2026-12-16T12:00');
  await list.click('Create the cycle');
  const [[operation, body]] = list.sent;
  assert.deepEqual([operation, body.name, body.reportId, body.dueAt], ['createReportingCycle', 'Package of the year', report.id, ownInstant('2026-12-16T12:00')]);
  const sections = example('getReportingCycle').sections.map((section) => ({ ...section, reviewStatus: 'internally_reviewed' }));
  const planned = { ...example('getReportingCycle'), sections, status: 'open', dispatchedAt: null };
  const asked = { ...planned, status: 'dispatched', dispatchedAt: '2026-11-26T12:00:00.000Z' };
  const cycle = await open(at('cycles/:id'), { getReportingCycle: planned, dispatchReportingCycle: asked, publishReportingCycle: { ...asked, status: 'published', publishedAt: '2026-11-26T12:00:00.000Z' } });
  await cycle.click('Ask the owners');
  assert.match(cycle.text(), /The owners were asked on/);
  assert.ok(!cycle.offered().includes('Ask the owners'));
  await cycle.confirm('Publish the report');
  assert.match(cycle.text(), /Published on/);
  assert.deepEqual(cycle.sent.map(([name]) => name), ['dispatchReportingCycle', 'publishReportingCycle']);
});

test('readers are told of a dashboard that was changed after its report was published', async () => {
  const CHANGED = '2026-11-21T10:00:00.000Z';
  const report = { ...example('getReport'), status: 'published', publishedAt: '2026-11-20T10:00:00.000Z' };
  const shown = async (updatedAt, more = {}) => (await reportOf({ ...dashboardOf(figure('a', 1)), updatedAt }, { getReport: { ...report, ...more } })).screen.text('.dashboard');
  assert.match(await shown(CHANGED), new RegExp(`Changed on ${dateTime(CHANGED)}.*published on ${dateTime(report.publishedAt)}`));
  assert.doesNotMatch(await shown('2026-11-19T10:00:00.000Z'), /Changed on/);
  assert.doesNotMatch(await shown('2026-11-21T10:00:00.000Z', { status: 'working', publishedAt: null }), /Changed on/);
});
