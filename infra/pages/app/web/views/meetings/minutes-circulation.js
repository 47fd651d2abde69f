// The circulation of minutes: which version the members were asked to read, until when remarks are welcome, what approved it, and the next one.

import { timeNow } from '../../lib/clock.js';
import { dateTime, fromWall, ownZone, zoneName } from '../../lib/dates.js';
import { opened } from '../../lib/minutes-draft.js';
import { Act, Resource } from '../../lib/state.js';
import { confirmButton, field, html, nothing } from '../../lib/ui.js';
import { Opened } from '../opened.js';
import { t } from '../../lib/texts.js';

const OVER = ['completed', 'finalized'];
const UNTIL = 'remarks-until';

export class Circulation {
  #parts = new Map();
  #signing = null;

  /** `part` reads the minutes. @param {import('./meeting-minutes-part.js').MinutesPart} part */
  constructor(part) {
    const { app, board, params } = part;
    Object.assign(this, { app, board, params, part });
    this.resource = new Resource(() => this.#approval(), app.update);
    this.circulating = new Act(app.update);
    this.isChanging = false; // whether circulated minutes of a finalized meeting are written again
    this.actions = ['circulateMinutes', 'approveMinutes', 'signMinutes', 'correctMinutes', 'createMinutesDocument'].map((name) => [name, params]);
  }

  /** Returns how far the minutes are; null where there are none. */
  async #approval() {
    try {
      return await this.app.api.get('getMinutesApproval', { params: this.params });
    } catch (error) {
      if (error.status === 404) return null;
      throw error;
    }
  }

  /** Whether a version was circulated: it stays, with the minutes and their meeting. */
  get isCirculated() {
    return Boolean(this.resource.data?.version);
  }

  /** Whether what was circulated last is approved. */
  get isApproved() {
    return Boolean(this.resource.data?.approvedAt);
  }

  /** Whether a version is approved, and perhaps its correction open: the minutes can no longer be changed. */
  get isBinding() {
    return this.isApproved || Boolean(this.resource.data?.supersedesVersion);
  }

  render(meeting) {
    const approval = this.resource.data;
    return html`${this.isBinding ? this.#correction(approval) : nothing}${this.isCirculated ? this.#line(approval) : nothing}${approval?.supersedesVersion ? this.#earlier(approval.supersedesVersion) : nothing}${this.isApproved ? nothing : this.#next(meeting)}`;
  }

  /** Which version is corrected, and the way to correct what is approved. */
  #correction({ supersedesVersion: version, status }) {
    const words = this.isApproved ? t('minutesCorrection.itCorrects', { version }) : status === 'draft' ? t('minutesCorrection.aDraftIsOpen', { version }) : t('minutesCorrection.oneIsOpen', { version });
    const mayCorrect = !this.part.correction && this.board.may('correctMinutes', this.params);
    return html`${version ? html`<p><strong>${words}</strong></p>` : nothing}
      ${mayCorrect ? html`<p class="row no-print"><button type="button" @click=${() => this.part.correct()}>${t('minutesCorrection.correctTheMinutes')}</button></p>` : nothing}`;
  }

  /** The approval of a version that a later one corrects, or its open correction will. */
  #earlier(version) {
    const load = async () => {
      const [{ signatureList }, approval] = await Promise.all([import('./minutes-signatures.js'), this.app.api.get('getMinutesApproval', { params: this.params, query: { version } })]);
      return { render: () => this.#earlierApproval(approval, signatureList) };
    };
    return this.#opened(`approval ${version}`, this.isApproved, load).render(t('minutesCorrection.theApprovalOf', { version }), { id: `approval-${version}` });
  }

  #earlierApproval(approval, signatureList) {
    const { version, signatures, supersedesVersion, supersededByVersion: later } = approval;
    return html`${later ? html`<p><strong>${t('minutesCorrection.itWasCorrected', { version, later })}</strong></p>` : nothing}
      ${this.#approved(approval)}${signatureList(this.board, signatures)}${this.#text(version)}${supersedesVersion ? this.#earlier(supersedesVersion) : nothing}`;
  }

  #line(approval) {
    const { version, circulatedAt, remarksUntil } = approval;
    const words = t('meetingMinutes.versionWasCirculated', { version, when: dateTime(circulatedAt) });
    const until = remarksUntil && !this.isApproved ? t('meetingMinutes.remarksAreWelcomeUntil', { when: dateTime(remarksUntil) }) : '';
    return html`${this.isApproved ? html`${this.#approved(approval)}${this.#signatures(approval)}${this.#file(version)}` : nothing}<p>${words} ${until}</p>${this.#text(version)}${version > 1 ? this.#changes(version) : nothing}${this.#remarksOn(version, remarksUntil)}`;
  }

  /** What was recorded: when, by which meeting or resolution, the number in the minute book, and the hash of the version. */
  #approved({ manner, approvedAt, number, sha256, inMeetingId, resolutionId }) {
    const when = dateTime(approvedAt);
    const by = inMeetingId ? html`<a href=${this.board.path('meetings', inMeetingId)}>${t('minutesApproval.theApprovingMeeting')}</a>` : html`<a href=${this.board.path('resolutions', resolutionId)}>${t('minutesApproval.theApprovingResolution')}</a>`;
    return html`<p><strong>${manner === 'as_changed' ? t('minutesApproval.approvedAsChanged', { when }) : t('minutesApproval.approvedAsPresented', { when })}</strong> ${t('minutesApproval.theirNumber', { number })}</p>
      <p>${by} · <a href=${this.board.path('minute-book', number.split('-')[0])}>${t('minuteBook.minuteBook')}</a></p>
      <p class="small soft">${t('minutesApproval.theirHash', { code: (text) => html`<code class="mono">${text}</code>`, sha256 })}</p>`;
  }

  /** The sealed file of the approved version. */
  #file(version) {
    const load = async () => new (await import('./minutes-file.js')).SealedFile(this.app, this.board, this.params);
    return this.#opened('file', version, load).render(t('minutesFile.theSealedFile'), { id: 'sealed-file' });
  }

  /** The signatures on the approved version; what shows them is loaded then. */
  #signatures(approval) {
    this.#signing ??= this.#loadSignatures();
    return this.signatures?.render(approval) ?? nothing;
  }

  async #loadSignatures() {
    const { Signatures } = await import('./minutes-signatures.js');
    this.signatures = new Signatures(this.app, this.board, this.params, (approval) => this.resource.set(approval));
    this.app.update();
  }

  /** What can be done next: to circulate what is written, and to approve what was circulated. */
  #next(meeting) {
    const mayCirculate = OVER.includes(meeting.status) && this.part.resource.data && this.board.may('circulateMinutes', this.params);
    const mayApprove = this.isCirculated && this.board.may('approveMinutes', this.params);
    return html`${mayCirculate ? html`<p class="row no-print">${this.#button()}${this.#mayChange(meeting) ? html`<button type="button" @click=${() => this.#change()}>${t('meetingMinutes.changeTheMinutes')}</button>` : nothing}</p>` : nothing}${mayApprove ? this.#approvalForm(meeting) : nothing}`;
  }

  /** Whether the minutes are final, and can be written again because they were circulated and are not approved. */
  #mayChange({ status }) {
    return status === 'finalized' && this.isCirculated && !this.isBinding && !this.isChanging && this.part.mayRun;
  }

  #change() {
    this.isChanging = true;
    this.app.update();
  }

  /** The approval of the newest version. */
  #approvalForm(meeting) {
    const { version } = this.resource.data;
    const load = async () => new (await import('./minutes-approval.js')).Approval(this.app, this.board, this.params, meeting, (body) => this.#approve(body));
    return this.#opened('approval', version, load).render(t('minutesApproval.approve'), { id: 'approval', with: this.resource.data });
  }

  /** Approves what was circulated last; what is typed and not saved yet is saved first, and has to be circulated then. */
  async #approve(body) {
    await this.part.flush();
    this.resource.set(await this.app.api.get('approveMinutes', { params: this.params, body }));
    await this.part.endCorrection();
    this.part.resource.reload();
  }

  /** Something of a version, read when it is opened; of another state, such as another version, it is another. */
  #opened(name, state, load) {
    if (this.#parts.get(name)?.state !== state) this.#parts.set(name, { state, opened: new Opened(this.app, load) });
    return this.#parts.get(name).opened;
  }

  #read(version) {
    return this.app.api.get('getMinutesVersion', { params: { ...this.params, version } }).then(opened);
  }

  /** The text of the version. */
  #text(version) {
    const load = async () => {
      const [{ written }, fixed] = await Promise.all([this.part.loaded(), this.#read(version)]);
      return { render: () => written.text(fixed) };
    };
    return this.#opened(`text ${version}`, version, load).render(t('meetingMinutes.readVersion', { version }));
  }

  /** What the version before said otherwise. */
  #changes(version) {
    const load = async () => {
      const [{ Changes }, { written }, before, after] = await Promise.all([import('./minutes-changes.js'), this.part.loaded(), this.#read(version - 1), this.#read(version)]);
      return new Changes(written, before, after);
    };
    return this.#opened('changes', version, load).render(t('minutesChanges.whatChangedSince', { version: version - 1 }), { id: 'changes' });
  }

  /** The remarks on the version. */
  #remarksOn(version, until) {
    const load = async () => {
      const [{ Remarks }, fixed] = await Promise.all([import('./minutes-remarks.js'), this.#read(version)]);
      return new Remarks(this.app, this.board, this.params, fixed);
    };
    return this.#opened('remarks', version, load).render(t('minutesRemarks.remarks'), { id: 'remarks', with: !this.isApproved && (!until || Date.parse(until) > timeNow()) });
  }

  /** What the opened parts follow. */
  get follows() {
    return [...this.#parts.values()].flatMap(({ opened }) => opened.follows);
  }

  #button() {
    return confirmButton({
      act: this.circulating, tone: '', text: t('meetingMinutes.circulate'), yes: t('meetingMinutes.circulate'), run: () => this.#circulate(),
      question: html`<p>${t('meetingMinutes.theyAreFixed')}</p><p>${t('common.membersAreTold', { number: this.board.others })}</p>
        ${field('remarksUntil', t('meetingMinutes.remarksUntil'), { id: UNTIL, type: 'datetime-local', hint: t('common.inYourTimeZone', { zoneName: zoneName(ownZone()) }) })}`,
    });
  }

  /** Circulates what is written, what is typed and not saved yet included. */
  #circulate() {
    return this.circulating.run(async () => {
      await this.part.flush();
      if (this.part.isTyped) return; // it waits for an answer, which is asked for where it stands
      const until = document.getElementById(UNTIL)?.value;
      const body = until ? { remarksUntil: fromWall(until, ownZone()) } : {};
      this.resource.set(await this.app.api.get('circulateMinutes', { params: this.params, body }));
    });
  }
}
