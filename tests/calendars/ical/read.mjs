// Reads a calendar from standard input with ical.js, and writes what it understood as JSON.
import ICAL from "ical.js";
import { readFileSync } from "node:fs";

const calendar = new ICAL.Component(ICAL.parse(readFileSync(0, "utf8")));
for (const zone of calendar.getAllSubcomponents("vtimezone")) ICAL.TimezoneService.register(zone);
const events = calendar.getAllSubcomponents("vevent").map((component) => {
  const event = new ICAL.Event(component);
  return {
    uid: event.uid,
    summary: event.summary,
    location: event.location,
    start: event.startDate.toUnixTime(),
    end: event.endDate.toUnixTime(),
    sequence: event.sequence,
    method: calendar.getFirstPropertyValue("method"),
    status: component.getFirstPropertyValue("status"),
    organizer: component.getFirstPropertyValue("organizer"),
    attendees: event.attendees.map((attendee) => attendee.getFirstValue()),
  };
});
process.stdout.write(JSON.stringify(events));
