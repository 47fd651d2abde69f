// Reads calendars from standard input, a JSON array, with ical.js, and writes of each the starts of its events' occurrences until an instant.
import ICAL from "ical.js";
import { readFileSync } from "node:fs";

const last = Number(process.argv[2]);

function expand(text) {
  const calendar = new ICAL.Component(ICAL.parse(text));
  ICAL.TimezoneService.reset();
  for (const zone of calendar.getAllSubcomponents("vtimezone")) ICAL.TimezoneService.register(zone);
  const events = calendar.getAllSubcomponents("vevent").map((component) => new ICAL.Event(component, { exceptions: [] }));
  const starts = {};
  for (const event of events) {
    if (event.isRecurrenceException()) continue;
    for (const other of events) if (other.uid === event.uid && other.isRecurrenceException()) event.relateException(other);
    const found = (starts[event.uid] = []);
    if (!event.isRecurring()) { found.push(event.startDate.toUnixTime()); continue; }
    const expansion = event.iterator();
    for (let next = expansion.next(); next && next.toUnixTime() <= last; next = expansion.next()) {
      found.push(event.getOccurrenceDetails(next).startDate.toUnixTime());
    }
  }
  return starts;
}

process.stdout.write(JSON.stringify(JSON.parse(readFileSync(0, "utf8")).map(expand)));
