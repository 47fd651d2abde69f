// Resolutions: drafted from a template, voted on, registered, certified.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { ME, at, example, open } from './screen.mjs';

const HERE = at('resolutions/:id');
const RESOLUTION = { ...example('getResolution'), status: 'open', ballots: 'named', closesAt: '2098-01-01T18:00:00.000Z' };
const [VOTER] = RESOLUTION.voters;
const mine = { ...VOTER, userId: ME.id, recused: null, proxyUserId: null };
const OPEN = { ...RESOLUTION, voters: [mine, ...RESOLUTION.voters.filter(({ userId }) => userId !== ME.id)] };
const BALLOT = { ...example('listBallots')[0], userId: ME.id, castByUserId: ME.id, comment: null };
const CLOSED = { ...OPEN, status: 'carried', closedAt: '2026-11-26T10:00:00.000Z', tally: { ...example('closeResolution').tally } };

/** Collects what the page saves as files. */
function saved() {
  const texts = [];
  Object.assign(URL, { createObjectURL: (blob) => { blob.text().then((text) => texts.push(text)); return '#saved'; }, revokeObjectURL() {} });
  return texts;
}

test('an appointment is dated as legal texts write it', async () => {
  const screen = await open(at('resolutions/new'));
  await screen.open('.templates details:nth-of-type(2)');
  for (const [name, value] of [['person', 'Ann Lee'], ['office', 'auditor'], ['from', '2027-01-01']]) await screen.fill(`#appoint-${name}`, value);
  await screen.click('Fill in', '.templates details:nth-of-type(2)');
  assert.match(screen.one('#resolution-text').value, /1 January 2027/);
});

test('nobody is chosen before somebody says who is recused', async () => {
  const screen = await open(HERE, { getResolution: OPEN });
  const options = [...screen.one('#recused').options];
  assert.deepEqual([screen.one('#recused').value, screen.one('#recused').required], ['', true]);
  assert.ok(options.length > 1);
});

test('nobody is chosen before a voter says who votes for them', async () => {
  const voters = [mine, { ...VOTER, userId: example('listMembers').find(({ userId }) => userId !== ME.id).userId, recused: null, proxyUserId: null }];
  const screen = await open(HERE, { getResolution: { ...OPEN, rule: { ...OPEN.rule, proxies: true }, voters } });
  const field = screen.one('#proxy-for');
  assert.deepEqual([field.value, field.required, field.options.length], ['', true, 2]);
});

test('a resolution is filled in from a template, with its document and its rule', async () => {
  const screen = await open(at('resolutions/new'));
  const [document_] = example('listDocuments');
  await screen.open('.templates details');
  await screen.click('Fill in', '.templates details');
  assert.equal(screen.one('#resolution-title').value, `Adoption of “${document_.title}”`);
  await screen.fill('#rule-majority', 'two_thirds');
  await screen.click('Save the draft');
  const [[name, body]] = screen.sent;
  assert.deepEqual([name, body.rule.majority, body.documentIds], ['createResolution', 'two_thirds', [document_.id]]);
});

test('a ballot is cast by two presses, changed and taken back', async () => {
  let ballots = [];
  const put = ({ body }) => { ballots = [{ ...BALLOT, ...body }]; return ballots[0]; };
  const screen = await open(HERE, { getResolution: OPEN, listBallots: () => ballots, putBallot: put, deleteBallot: () => { ballots = []; return { deleted: true }; } });
  await screen.click('Against', '.ballot');
  assert.deepEqual(screen.sent, []);
  await screen.click('Cast “Against”', '.ballot');
  assert.match(screen.text('#vote'), /The vote is Against\./);
  await screen.click('Change', '#vote');
  await screen.click('Abstain', '#vote');
  await screen.click('Cast “Abstain”', '#vote');
  await screen.click('Withdraw', '#vote');
  await screen.until(() => screen.one('.ballot .choice'));
  assert.deepEqual(screen.sent, [['putBallot', { choice: 'against' }], ['putBallot', { choice: 'abstain' }], ['deleteBallot']]);
});

test('from its end on a vote is not offered, though the outcome is not known yet', async () => {
  const voters = OPEN.voters.map((voter) => ({ ...voter }));
  const rule = { ...OPEN.rule, proxies: true };
  const during = await open(HERE, { getResolution: { ...OPEN, voters, rule }, listBallots: [] });
  assert.ok(during.one('.ballot .choice'));
  assert.match(during.text('#voters'), /Close the vote/);
  const settling = await open(HERE, { getResolution: { ...OPEN, voters, rule, closesAt: '2001-01-01T18:00:00.000Z' }, listBallots: [] });
  assert.equal(settling.one('#vote'), null);
  assert.doesNotMatch(settling.text('#voters'), /Close the vote|Withdraw|proxy/i);
});

test('a secret ballot is cast once, and says nothing afterwards', async () => {
  const secret = { ...OPEN, ballots: 'secret' };
  const screen = await open(HERE, { getResolution: secret, listBallots: [] });
  await screen.click('For', '.ballot');
  assert.match(screen.text('.ballot'), /A secret ballot is cast once/);
  const after = await open(HERE, { getResolution: secret, listBallots: [{ ...BALLOT, choice: null, castByUserId: null }] });
  assert.match(after.text('#vote'), /You have voted\./);
  assert.doesNotMatch(after.text('#vote'), /Withdraw|Change|For|Against/);
});

test('a register is searched and filtered, and saved as a table that no spreadsheet computes', async () => {
  const texts = saved();
  const [one] = example('listResolutions');
  const tally = { ...CLOSED.tally, eligible: 9, for: 0, against: 9, abstain: 0, outcome: 'rejected' };
  const roof = { ...one, id: 'roof', number: '2026-8', title: '=Lease of the roof', status: 'rejected', closedAt: '2026-11-25T12:00:00.000Z', tally };
  const screen = await open(at('resolutions'), { listResolutions: [one, roof] });
  await screen.fill('#resolutions-text', 'roof');
  assert.match(screen.text('.rows'), /0 for, 9 against, 0 abstained/);
  assert.equal(screen.all('.rows > li').length, 1);
  await screen.fill('#resolutions-status', 'carried');
  assert.match(screen.text(), /No resolution fits\./);
  await screen.fill('#resolutions-status', 'rejected');
  assert.deepEqual(screen.gone.at(-1), { text: 'roof', status: 'rejected' });
  await screen.click('Save as CSV');
  await screen.until(() => texts.length);
  assert.equal(texts[0].split('\r\n')[1], "2026-8,'=Lease of the roof,Rejected,2026-11-25,0,9,0,9,,");
});

test('what the minutes of meetings decided stands in the register with its meeting and item, is found by them, and is in the table', async () => {
  const texts = saved();
  const [meeting] = example('listMeetingDecisions');
  const screen = await open(at('resolutions'), { listResolutions: [], listMeetingDecisions: [meeting] });
  assert.deepEqual(screen.all('h2').map(({ textContent }) => textContent), ['Decided 2026']);
  assert.equal(screen.one('.rows a').getAttribute('href'), at(`meetings/${meeting.meetingId}`));
  for (const words of ['auditor', 'audit com', 'appointment 2026']) {
    await screen.fill('#resolutions-text', words);
    assert.match(screen.text('.rows'), /The auditor is appointed for 2027\..*Minutes of “Audit committee”, item “Appointment of the auditor”.*Carried/s, words);
  }
  await screen.fill('#resolutions-text', '');
  await screen.fill('#resolutions-status', 'noted');
  assert.equal(screen.all('.rows > li').length, 1);
  await screen.fill('#resolutions-status', '');
  await screen.click('Save as CSV');
  await screen.until(() => texts.length);
  assert.equal(texts[0].split('\r\n')[1], ',The auditor is appointed for 2027.,Carried,2026-10-31,,,,,Audit committee,Appointment of the auditor');
});

test('a register in which nothing was decided says so once all of it is read', async () => {
  const undecided = { ...example('listMeetingDecisions')[0], decisions: [] };
  const screen = await open(at('resolutions'), { listResolutions: [], listMeetingDecisions: [undecided] });
  assert.match(screen.text(), /Nothing has been decided here yet\./);
});

test('a certificate is saved as it was served, and becomes a document that one is led to', async () => {
  const texts = saved();
  const screen = await open(HERE, { getResolution: CLOSED });
  await screen.click('Data to recompute it (JSON)');
  await screen.until(() => texts.length);
  assert.deepEqual(JSON.parse(texts[0]).data, example('getResolutionCertificate'));
  await screen.click('Certificate as a PDF');
  assert.deepEqual(screen.gone, [at(`documents/${example('createResolutionCertificateDocument').id}`)]);
});

test('a paper is read as the vote fixed it, though its document has a newer file', async () => {
  const [document_] = example('listDocuments');
  const versions = [];
  const screen = await open(HERE, {
    getResolution: { ...OPEN, documentIds: [document_.id] }, getDocument: { ...example('getDocument'), id: document_.id, latestVersionId: 'newer' },
    listResolutionPapers: [{ ...example('listResolutionPapers')[0], documentId: document_.id, versionId: 'fixed' }],
    getDocumentVersion: { ...example('getDocumentVersion'), mimeType: 'text/plain' },
    getDocumentVersionContent: ({ params }) => { versions.push(params.versionId); return example('getDocumentVersionContent'); },
  });
  await screen.click(`Read ${document_.title}`);
  await screen.until(() => screen.one('.viewer iframe'));
  assert.deepEqual(versions, ['fixed']);
  assert.match(screen.text(), /The document has a newer file than the one that the vote is on\./);
});

test('a vote is closed before its announced end after a question that names the end and who has not voted; its page says both ends', async () => {
  const closesAt = '2099-01-01T18:00:00.000Z';
  const [member] = example('listMembers');
  const voters = [{ userId: member.userId, weight: 1, recused: null, proxyUserId: null }];
  const screen = await open(HERE, { getResolution: { ...OPEN, closesAt, voters }, listBallots: [], closeResolution: { ...CLOSED, closesAt } });
  await screen.click('Close the vote');
  const asked = screen.one('.confirm-box[open]').textContent;
  assert.match(asked, /announced until.*2099.*One person has not voted/s);
  assert.ok(asked.includes(member.firstName), asked);
  const over = await open(HERE, { getResolution: { ...CLOSED, closesAt } });
  assert.match(over.text('.facts'), /Announced until.*2099/);
});

test('a draft names who votes before it is opened', async () => {
  const [member] = example('listMembers');
  const screen = await open(HERE, { getResolution: { ...OPEN, status: 'draft', openedAt: null, voters: [{ userId: member.userId, weight: 1, recused: null, proxyUserId: null }] } });
  assert.match(screen.text('.voter-names'), new RegExp(`One person votes: ${member.firstName}`));
});

test('who has given a proxy reads who votes for them, and takes it back with one press', async () => {
  const other = example('listMembers').find(({ userId }) => userId !== ME.id);
  const given = [{ ...mine, proxyUserId: other.userId }, { ...VOTER, userId: other.userId, recused: null, proxyUserId: null }];
  const of = (voters) => ({ ...OPEN, rule: { ...OPEN.rule, proxies: true }, voters });
  const screen = await open(HERE, { getResolution: of(given), deleteResolutionProxy: of([mine, given[1]]) });
  await screen.sees('votes for you.', '#voters');
  await screen.click('Withdraw the proxy');
  assert.deepEqual(screen.sent, [['deleteResolutionProxy']]);
  assert.doesNotMatch(screen.text('#voters'), /votes for you\./);
});
