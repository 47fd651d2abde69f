
export async function markRead(app, each) {
  await app.api.call('readNotification', { params: { notificationId: each._id } });
  const { notifications } = app;
  notifications.set(notifications.data.map((other) => (other._id === each._id ? { ...other, read: true } : other)));
}

export async function settle(app, address, types) {
  const asked = (app.notifications?.data ?? []).filter((each) => !each.read && each.meetingLink === address && types.includes(each.type));
  await Promise.allSettled(asked.map((each) => markRead(app, each)));
}
