// Tests of what the pages say of a resolution before the API has decided it.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';

import { load } from './load.mjs';

const rules = await load('resolutions');
const words = await load('resolution-words');
(await load('dates')).setAccountZone('UTC');
const voter = (userId, more = {}) => ({ userId, weight: 1, recused: null, proxyUserId: null, ...more });
const rule = (more = {}) => ({ ...rules.USUAL_RULE, ...more });
const RECUSED = { reason: 'Own firm', byUserId: 'a', at: '2026-11-26T10:00:00.000Z' };

/** Counts by the words of the rule, over fractions that are not rounded. */
function carries({ majority }, inFavour, base) {
  if (inFavour < 1) return false;
  return { simple: 2 * inFavour > base, two_thirds: 3 * inFavour >= 2 * base, three_quarters: 4 * inFavour >= 3 * base, unanimous: inFavour === base }[majority];
}

test('what is needed is the least that carries, for every majority and base', () => {
  for (const majority of rules.MAJORITIES) {
    for (let base = 1; base <= 200; base += 1) {
      const needed = rules.neededOf({ majority }, base);
      assert.equal(carries({ majority }, needed, base), true, `${majority} of ${base}`);
      assert.equal(carries({ majority }, needed - 1, base), false, `${majority} of ${base}`);
    }
  }
});

test('the quorum is the least weight that reaches its percentage, and at least one', () => {
  for (let percent = 0; percent <= 100; percent += 1) {
    for (const all of [1, 2, 3, 7, 9, 100, 333]) {
      const quorum = rules.quorumOf({ quorumPercent: percent }, all);
      assert.ok(quorum >= 1 && 100 * quorum >= percent * all);
      assert.ok(quorum === 1 || 100 * (quorum - 1) < percent * all, `${percent} of ${all}`);
    }
  }
});

test('who votes where nobody is named: contributors of the board or the committee, no internal management', () => {
  const member = (userId, more = {}) => ({ id: `m${userId}`, userId, adminRole: 'member', accessType: 'collaborator', isInternalMgmt: false, ...more });
  const members = [member('a'), member('b', { accessType: 'guest' }), member('c', { isInternalMgmt: true }), member('d')];
  assert.deepEqual(rules.usualVoters(members).map(({ userId }) => userId), ['a', 'd']);
  assert.deepEqual(rules.usualVoters(members, { memberIds: ['md', 'mb'] }).map(({ userId }) => userId), ['d']);
});

test('a new draft names the chair and the members of a board that says who they are, and not its secretary', () => {
  const member = (userId, ...boardPositions) => ({ id: `m${userId}`, userId, adminRole: 'member', accessType: 'collaborator', isInternalMgmt: false, boardPositions });
  const ids = (members) => rules.seatedVoters(members).map(({ userId }) => userId);
  assert.deepEqual(ids([member('a', 'board chair'), member('b', 'company secretary'), member('c', 'cfo', 'board member')]), ['a', 'c']);
  assert.deepEqual(ids([member('a'), member('b', 'company secretary')]), ['a', 'b']);
});

test('one votes for oneself and for those who gave their proxy, and for nobody once recused', () => {
  const voters = [voter('a'), voter('b', { proxyUserId: 'a' }), voter('c', { proxyUserId: 'a', recused: RECUSED }), voter('d')];
  assert.deepEqual(rules.targetsOf({ voters }, 'a').map(({ userId }) => userId), ['a', 'b']);
  assert.deepEqual(rules.targetsOf({ voters: [voter('a', { recused: RECUSED }), voter('b', { proxyUserId: 'a' })] }, 'a'), []);
  assert.deepEqual(rules.targetsOf({ voters }, 'x'), []);
});

test('who is recused is not missing, and is not given a proxy', () => {
  const voters = [voter('a'), voter('b'), voter('c', { recused: RECUSED }), voter('d', { proxyUserId: 'a' })];
  assert.deepEqual(rules.missingOf({ voters }, [{ userId: 'a' }]).map(({ userId }) => userId), ['b', 'd']);
  assert.deepEqual(rules.proxiesFor({ voters }, 'b').map(({ userId }) => userId), ['a']);
});

test('the sentence says what carries, how many must vote, who decides a tie, and until when', () => {
  const voters = Array.from({ length: 9 }, (_, index) => voter(`u${index}`));
  const said = (more, rest = {}) => words.ruleSentence({ rule: rule(more), voters, ...rest }, () => 'Ada');
  assert.equal(said({}), 'Carried if more than half of the votes cast are for; quorum: 5 of 9 must vote.');
  assert.equal(said({ castingVoteUserId: 'u1' }, { closesAt: null }), 'Carried if more than half of the votes cast are for; quorum: 5 of 9 must vote; at a tie the casting vote of Ada decides; until it is closed in the meeting.');
  assert.equal(said({ majority: 'two_thirds', base: 'eligible', quorumPercent: 100 }), 'Carried if two thirds of all votes are for; quorum: 9 of 9 must vote.');
  assert.match(said({}, { voters: [voter('a', { weight: 3 }), voter('b')] }), /2 of 4 votes must be cast/);
});

test('an end that is near is said by its weekday, another by its date', () => {
  const now = Date.parse('2026-11-26T10:00:00Z');
  assert.match(words.deadline('2026-11-28T17:00:00Z', now), /^Saturday \d\d:00$/);
  assert.match(words.deadline('2026-12-28T17:00:00Z', now), /28 Dec 2026/);
  assert.match(words.deadline('2026-11-26T10:01:00Z', now), /^today \d\d:01$/);
});

test('a register has what is open by its end, drafts by their change, and what is decided by year, newest first', () => {
  const all = [
    { id: 1, status: 'carried', closedAt: '2026-01-02' }, { id: 2, status: 'open', closesAt: '2026-03-01' }, { id: 3, status: 'withdrawn', closedAt: '2026-02-01' },
    { id: 4, status: 'open', closesAt: '2026-02-01' }, { id: 5, status: 'draft', updatedAt: '2026-01-01' }, { id: 6, status: 'draft', updatedAt: '2026-01-02' },
    { id: 7, status: 'noted', closedAt: null }, { id: 8, status: 'rejected', closedAt: '2025-06-01' },
  ];
  const { open, drafts, years } = rules.registered(all);
  const ids = (group) => group.map(({ id }) => id);
  assert.deepEqual([open, drafts].map(ids), [[4, 2], [6, 5]]);
  assert.deepEqual(years.map(([year, group]) => [year, ids(group)]), [['2026', [3, 1]], ['2025', [8]], ['', [7]]]);
});

test('decisions of minutes are entries of a register, in the order of the minutes, with where they come from', () => {
  const decision = { text: 'Rented.', result: 'carried', agendaItemId: 'a', agendaItemTitle: 'Office' };
  const found = rules.minuted({ meetingId: 'm', title: 'Spring', startTime: '2026-03-02T09:00:00.000Z', decisions: [decision, { ...decision, text: 'Noted.', result: 'noted', agendaItemTitle: null }] });
  assert.deepEqual(found.map(({ title, status, meeting, item }) => [title, status, meeting.title, item]), [['Rented.', 'carried', 'Spring', 'Office'], ['Noted.', 'noted', 'Spring', null]]);
  assert.equal(new Set(found.map(({ id }) => id)).size, 2);
  assert.deepEqual(rules.registered(found).years.map(([year]) => year), ['2026']);
});

/** Returns what ballots decide by what the pages say is needed: the quorum, the least that carries, who decides a tie. */
function decided({ rule: stated, votes }) {
  const voters = votes.map((vote) => ({ ...vote, recused: vote.recused ? RECUSED : null }));
  const sum = (choice) => votes.filter((vote) => vote.choice === choice).reduce((all, { weight }) => all + weight, 0);
  const tally = { eligible: rules.eligible(voters), ...Object.fromEntries(rules.CHOICES.map((choice) => [choice, sum(choice)])) };
  tally.voted = rules.CHOICES.reduce((all, choice) => all + tally[choice], 0);
  if (tally.voted < rules.quorumOf(stated, tally.eligible)) return 'lapsed';
  if (rules.isTie(stated, tally)) return tally.for && votes.find(({ userId }) => userId === stated.castingVoteUserId).choice === 'for' ? 'carried' : 'rejected';
  return tally.for >= rules.neededOf(stated, rules.baseOf(stated, tally)) ? 'carried' : 'rejected';
}

test('what the pages say is needed decides as the table of cases says', async () => {
  const cases = JSON.parse(await readFile(new URL('../../../domain/resolutions/count_cases.json', import.meta.url), 'utf-8'));
  for (const one of cases) assert.equal(decided(one), one.outcome, one.says);
});
