// Every operation of the API that these pages call: its method and path as the OpenAPI document has them.

export const OPERATIONS = {
  getWhoami: ['GET', '/api/v1/whoami'],
  evaluateAccessBatch: ['POST', '/api/v1/access/evaluations'],
  getMe: ['GET', '/api/v1/me'],
  updateMe: ['PATCH', '/api/v1/me'],
  listCalendarFeeds: ['GET', '/api/v1/me/calendar-feeds'],
  createCalendarFeed: ['POST', '/api/v1/me/calendar-feeds'],
  deleteCalendarFeed: ['DELETE', '/api/v1/me/calendar-feeds/{feedId}'],
  getCalendarSettings: ['GET', '/api/v1/me/calendar'],
  putCalendarSettings: ['PUT', '/api/v1/me/calendar'],
  listMyTokens: ['GET', '/api/v1/me/tokens'],
  createMyToken: ['POST', '/api/v1/me/tokens'],
  revokeMyToken: ['DELETE', '/api/v1/me/tokens/{tokenId}'],

  listBoards: ['GET', '/api/v1/boards'],
  createBoard: ['POST', '/api/v1/boards'],
  getBoard: ['GET', '/api/v1/boards/{boardId}'],
  updateBoard: ['PATCH', '/api/v1/boards/{boardId}'],
  deleteBoard: ['DELETE', '/api/v1/boards/{boardId}'],
  transferOwnership: ['POST', '/api/v1/boards/{boardId}/ownership-transfer'],
  listMembers: ['GET', '/api/v1/boards/{boardId}/members'],
  updateMember: ['PATCH', '/api/v1/boards/{boardId}/members/{memberId}'],
  removeMember: ['DELETE', '/api/v1/boards/{boardId}/members/{memberId}'],
  listCommittees: ['GET', '/api/v1/boards/{boardId}/committees'],
  createCommittee: ['POST', '/api/v1/boards/{boardId}/committees'],
  updateCommittee: ['PATCH', '/api/v1/boards/{boardId}/committees/{committeeId}'],
  deleteCommittee: ['DELETE', '/api/v1/boards/{boardId}/committees/{committeeId}'],
  listBoardTokens: ['GET', '/api/v1/boards/{boardId}/tokens'],
  createBoardToken: ['POST', '/api/v1/boards/{boardId}/tokens'],
  revokeBoardToken: ['DELETE', '/api/v1/boards/{boardId}/tokens/{tokenId}'],
  listWebhooks: ['GET', '/api/v1/boards/{boardId}/webhooks'],
  createWebhook: ['POST', '/api/v1/boards/{boardId}/webhooks'],
  getWebhook: ['GET', '/api/v1/boards/{boardId}/webhooks/{webhookId}'],
  updateWebhook: ['PATCH', '/api/v1/boards/{boardId}/webhooks/{webhookId}'],
  deleteWebhook: ['DELETE', '/api/v1/boards/{boardId}/webhooks/{webhookId}'],
  testWebhook: ['POST', '/api/v1/boards/{boardId}/webhooks/{webhookId}/test'],
  rotateWebhookSecret: ['POST', '/api/v1/boards/{boardId}/webhooks/{webhookId}/rotate-secret'],
  listWebhookDeliveries: ['GET', '/api/v1/boards/{boardId}/webhooks/{webhookId}/deliveries'],
  redeliverWebhookDelivery: ['POST', '/api/v1/boards/{boardId}/webhooks/{webhookId}/deliveries/{deliveryId}/redeliver'],
  listAuditEntries: ['GET', '/api/auditlog/{boardId}'],

  listMeetings: ['GET', '/api/v1/boards/{boardId}/meetings'],
  createMeeting: ['POST', '/api/v1/boards/{boardId}/meetings'],
  getMeeting: ['GET', '/api/v1/boards/{boardId}/meetings/{meetingId}'],
  updateMeeting: ['PATCH', '/api/v1/boards/{boardId}/meetings/{meetingId}'],
  deleteMeeting: ['DELETE', '/api/v1/boards/{boardId}/meetings/{meetingId}'],
  listSlots: ['GET', '/api/v1/boards/{boardId}/meetings/{meetingId}/slots'],
  createSlot: ['POST', '/api/v1/boards/{boardId}/meetings/{meetingId}/slots'],
  deleteSlot: ['DELETE', '/api/v1/boards/{boardId}/meetings/{meetingId}/slots/{slotId}'],
  confirmSlot: ['POST', '/api/v1/boards/{boardId}/meetings/{meetingId}/slots/{slotId}/confirm'],
  voteOnSlot: ['PUT', '/api/v1/boards/{boardId}/meetings/{meetingId}/slots/{slotId}/vote'],
  listRsvps: ['GET', '/api/v1/boards/{boardId}/meetings/{meetingId}/rsvps'],
  putRsvp: ['PUT', '/api/v1/boards/{boardId}/meetings/{meetingId}/rsvp'],
  deleteRsvp: ['DELETE', '/api/v1/boards/{boardId}/meetings/{meetingId}/rsvp'],
  openLink: ['POST', '/api/v1/boards/{boardId}/meetings/{meetingId}/guest-link'],
  closeLink: ['DELETE', '/api/v1/boards/{boardId}/meetings/{meetingId}/guest-link'],
  viewAsGuest: ['GET', '/api/v1/guest/{token}'],
  voteAsGuest: ['PUT', '/api/v1/guest/{token}/slots/{slotId}/vote'],

  listActionItems: ['GET', '/api/v1/boards/{boardId}/meetings/{meetingId}/action-items'],
  createActionItem: ['POST', '/api/v1/boards/{boardId}/meetings/{meetingId}/action-items'],
  updateActionItem: ['PATCH', '/api/v1/boards/{boardId}/meetings/{meetingId}/action-items/{actionItemId}'],
  deleteActionItem: ['DELETE', '/api/v1/boards/{boardId}/meetings/{meetingId}/action-items/{actionItemId}'],
  listOfBoard: ['GET', '/api/board/{boardId}/action-items'],
  listMine: ['GET', '/api/action-items/my'],

  listDocuments: ['GET', '/api/v1/boards/{boardId}/documents'],
  createDocument: ['POST', '/api/v1/boards/{boardId}/documents'],
  getDocument: ['GET', '/api/v1/boards/{boardId}/documents/{documentId}'],
  updateDocument: ['PATCH', '/api/v1/boards/{boardId}/documents/{documentId}'],
  deleteDocument: ['DELETE', '/api/v1/boards/{boardId}/documents/{documentId}'],

  listReports: ['GET', '/api/v1/boards/{boardId}/reports'],
  createReport: ['POST', '/api/v1/boards/{boardId}/reports'],
  getReport: ['GET', '/api/v1/boards/{boardId}/reports/{reportId}'],
  updateReport: ['PATCH', '/api/v1/boards/{boardId}/reports/{reportId}'],
  deleteReport: ['DELETE', '/api/v1/boards/{boardId}/reports/{reportId}'],
  listDashboards: ['GET', '/api/v1/boards/{boardId}/reports/{reportId}/dashboards'],
  createDashboard: ['POST', '/api/v1/boards/{boardId}/reports/{reportId}/dashboards'],
  updateDashboard: ['PATCH', '/api/v1/boards/{boardId}/reports/{reportId}/dashboards/{dashboardId}'],
  deleteDashboard: ['DELETE', '/api/v1/boards/{boardId}/reports/{reportId}/dashboards/{dashboardId}'],

  listNotifications: ['GET', '/api/notification/'],
  readAllNotifications: ['PUT', '/api/notification/read/all'],
  readNotification: ['PUT', '/api/notification/read/{notificationId}'],
  deleteNotification: ['DELETE', '/api/notification/{notificationId}'],
  getPreferences: ['GET', '/api/notification/preferences'],
  putPreference: ['PUT', '/api/notification/preferences'],

  listBoardInvites: ['GET', '/api/invite/{boardId}/invites'],
  createInvite: ['POST', '/api/invite/{boardId}'],
  sendTestMail: ['POST', '/api/invite/{boardId}/test'],
  sendInvite: ['POST', '/api/invite/{boardInviteId}/send-email'],
  getInviteCode: ['GET', '/api/invite/{boardId}/code'],
  acceptInvite: ['PUT', '/api/invite/accept/{boardInviteId}'],
  declineInvite: ['PUT', '/api/invite/decline/{boardInviteId}'],
  retractInvite: ['PUT', '/api/invite/retract/{boardInviteId}'],
  joinBoard: ['PUT', '/api/invite/join/{inviteCode}'],
};

/** Returns the method and the address of an operation, its parameters filled in. */
export function request(name, params = {}, query = {}) {
  const operation = OPERATIONS[name];
  if (!operation) throw new TypeError(`No such operation: ${name}`);
  const [method, template] = operation;
  const path = template.replace(/\{(\w+)\}/g, (_, key) => {
    if (params[key] === undefined) throw new TypeError(`${name} needs ${key}`);
    return encodeURIComponent(params[key]);
  });
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null && value !== '');
  const search = new URLSearchParams(given).toString();
  return { method, address: search ? `${path}?${search}` : path };
}
