// Notifications that are done: opened, or answered by what somebody did.

export async function markRead(app, each) {
  await app.api.call('markNotificationRead', { params: { notificationId: each._id } });
  const { notifications } = app;
  notifications.set(notifications.data.map((other) => (other._id === each._id ? { ...other, read: true } : other)));
}

/** Marks the unread notifications of these types about a page as read: what they asked for is done. A failure changes nothing. */
export async function settle(app, address, types) {
  const asked = (app.notifications?.data ?? []).filter((each) => !each.read && each.meetingLink === address && types.includes(each.type));
  await Promise.allSettled(asked.map((each) => markRead(app, each)));
}
