// What mails are about, by what turns them off: a calendar setting or a category of notifications. Only those that are sent.

import { t } from './texts.js';

/** The mails that a calendar setting turns off; in the app people are always told of these. */
export const MAIL_SWITCHES = ['voteRequests', 'invitations'];

/** The categories of notifications that something is told in. */
export const CATEGORIES = ['action_item', 'post_meeting', 'section_status', 'package_status', 'section_overdue', 'bet_reminder', 'validation_flag'];

const TOPICS = () => ({
  voteRequests: [t('mailTopics.votes'), t('mailTopics.newTimesToVoteOnAnd')],
  invitations: [t('common.meetings'), t('mailTopics.eachMeetingAsAnInvitationThat')],
  action_item: [t('common.actionItems'), t('mailTopics.aTaskIsAssignedToYou')],
  post_meeting: [t('mailTopics.afterTheMeeting'), t('mailTopics.aMeetingWasFinalized')],
  section_status: [t('common.dashboards'), t('mailTopics.somebodyAsksForAReviewOf')],
  validation_flag: [t('mailTopics.figures'), t('mailTopics.figuresContradictOthers')],
  package_status: [t('common.reports'), t('mailTopics.aReportWasPublishedOrFinalized')],
  section_overdue: [t('mailTopics.sectionsThatAreDue'), t('mailTopics.aSectionOfYoursIsDue')],
  bet_reminder: [t('common.bets'), t('mailTopics.anOpenBetOfYoursIs')],
  board: [t('mailTopics.allEMailsOfTheBoard'), t('mailTopics.everythingThatTheBoardMails')],
});

/** Returns the heading of a topic and a sentence that says what is told. */
export function topicInWords(topic) {
  const [heading, text] = TOPICS()[topic] ?? [t('mailTopics.eMailsOfOneKind'), ''];
  return { heading, text };
}
