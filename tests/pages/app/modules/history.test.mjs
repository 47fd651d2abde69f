// Tests of the history of a board as rows: entries and events together, and their words.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { load } from './load.mjs';

const { actOf, factsOf, isOf, namesIn, personsOf, rowsOf, thingOf } = await load('history');
const ROOT = new URL('../../../../', import.meta.url);

const entry = (id, action, details = {}) => ({ _id: id, boardId: 'b', actorUser: 'u', action, details, createdVia: 'web', createdAt: `2026-10-0${id}T10:00:00.000Z` });
const event = (id, type, refs = {}, { details = {}, changes = [] } = {}) => ({ object: 'event', id, boardId: 'b', type, actorUserId: 'u', createdVia: 'web', createdAt: `2026-10-0${id}T10:00:00.000Z`, refs, details, changes });
const row = (...given) => rowsOf([], [event(1, ...given)])[0];
const facts = (shown) => factsOf(shown, (id) => `<${id}>`);

test('an audit entry and the event of its id are one row, newest first, and only what is logged can be checked', () => {
  const rows = rowsOf([entry('1', 'meetingUpdate', { fields: ['title'] }), entry('3', 'wsRoomJoin')], [event('1', 'meeting.updated', { meetingId: 'm' }), event('2', 'agenda.updated', { meetingId: 'm' }), event('4', 'resolution.opened', { resolutionId: 'r' })]);
  assert.deepEqual(rows.map(({ id, kind, logged }) => [id, kind, Boolean(logged)]), [['4', 'resolutions', true], ['3', 'live', true], ['2', 'meetings', false], ['1', 'meetings', true]]);
  assert.equal(rows[3].logged.action, 'meetingUpdate');
});

test('a row is about the thing that its event names first, and belongs to every thing that it names', () => {
  const about = (type, refs) => thingOf(row(type, refs));
  assert.equal(about('slot.removed', { slotId: 's', meetingId: 'm' }), 'm');
  assert.equal(about('action_item.updated', { meetingId: 'm', actionItemId: 'a' }), 'a');
  assert.equal(about('resolution.recused', { resolutionId: 'r', meetingId: 'm', voterId: 'v' }), 'r');
  assert.equal(about('board_pack.requested', { documentId: 'd', meetingId: 'm' }), 'm');
  assert.equal(about('board.changed', {}), undefined);
  assert.ok(isOf(row('resolution.opened', { resolutionId: 'r', meetingId: 'm' }), 'm'));
  assert.deepEqual(personsOf(row('resolution.proxy_changed', { resolutionId: 'r', voterId: 'v' })), ['v']);
  assert.deepEqual(personsOf(row('resolution.ballot_cast', { resolutionId: 'r', voterId: 'u' })), []);
});

test('an entry without its event names its thing by its details', () => {
  const [deleted] = rowsOf([entry('1', 'meetingDelete', { id: 'm', title: 'Spring' })], []);
  assert.deepEqual([thingOf(deleted), deleted.kind, [...namesIn([deleted])]], ['m', 'meetings', [['m', 'Spring']]]);
});

test('what is gone keeps the newest name that its history says; a dashboard names no report', () => {
  const rows = rowsOf([], [
    event(1, 'meeting.created', { meetingId: 'm' }, { details: { id: 'm', title: 'Spring' } }),
    event(2, 'meeting.updated', { meetingId: 'm' }, { changes: [{ field: 'title', from: 'Spring', to: 'Summer' }] }),
    event(3, 'dashboard.deleted', { reportId: 'r', dashboardId: 'd' }, { details: { id: 'd', title: 'Finance' } }),
  ]);
  assert.deepEqual([...namesIn(rows)], [['m', 'Summer']]);
});

test('a row says from what to what, in words', () => {
  const changed = { details: { fields: ['startTime', 'notes'] }, changes: [{ field: 'startTime', from: null, to: '2026-10-05T09:00:00.000Z' }] };
  assert.match(facts(row('meeting.updated', { meetingId: 'm' }, changed)).join(' · '), /^start: – → .*5 Oct 2026.* · changed: notes$/);
  const values = { changes: [{ field: 'accessType', from: 'collaborator', to: 'manager' }, { field: 'boardPositions', from: [], to: ['cfo'] }, { field: 'assigneeUserId', from: null, to: 'v' }, { field: 'dueOn', from: '2026-10-05', to: null }] };
  assert.deepEqual(facts(row('member.changed', {}, values)), ['access: Contribute → Manage', 'positions: – → CFO', 'assignee: – → <v>', 'due date: 5 Oct 2026 → –']);
  assert.deepEqual(facts(row('meeting.status_changed', {}, { details: { from: 'draft', to: 'scheduled' } })), ['Draft → Scheduled']);
  assert.deepEqual(facts(row('resolution.closed', {}, { details: { number: '2026-1', outcome: 'carried', certificateSha256: 'ab' } })), ['Carried']);
});

test('a membership without changed fields is a new one, and a recusal that ended is none', () => {
  assert.equal(actOf(rowsOf([entry('1', 'memberChange', { memberEmail: 'a@example.com', positions: [] })], [])[0]), 'joined the board');
  assert.equal(actOf(rowsOf([entry('1', 'memberChange', { fields: ['committees'] })], [])[0]), 'changed a member');
  assert.match(actOf(row('resolution.recused', {}, { details: { recused: false } })), /^ended the recusal/);
});

test('every action, every event without one, and every field that is named has words in every language', () => {
  const { schemas } = JSON.parse(readFileSync(new URL('openapi.json', ROOT))).components;
  const AUDITED = /^(invite\.accepted|member\.(changed|removed|left)|board\.(ownership_transferred|billing_overridden)|user\.purged|meeting\.(created|updated|status_changed|deleted)|guest\.\w+|action_item\.\w+|document\.(viewed|deleted|version_deleted)|report\.status_changed|dashboard\.(review_status_changed|access_\w+|ownership_transferred)|unregistered_user\.(created|updated|archived|unarchived|scrubbed|flag_dismissed))$/;
  for (const language of ['en', 'de']) {
    const messages = JSON.parse(readFileSync(new URL(`infra/pages/app/messages/${language}.json`, ROOT)));
    assert.deepEqual(schemas.AuditAction.enum.filter((action) => !messages[`audit.${action}`]), [], language);
    assert.deepEqual(schemas.Event.enum.filter((type) => !AUDITED.test(type) && !messages[`happened.${type}`]), [], language);
    for (const name of ['MemberPatch', 'MeetingPatch', 'ActionItemPatch', 'UnregisteredUserPatch', 'BoardPatch']) {
      const fields = Object.keys(schemas[name].properties).filter((field) => !['status', 'inviteCodeEnabled'].includes(field));
      assert.deepEqual(fields.filter((field) => !messages[`changed.${field}`]), [], `${language} ${name}`);
    }
  }
});
