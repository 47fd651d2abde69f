"""Calendar feeds, for the programs that people subscribe to them with."""

from governance.http.calendars.calendar import CalendarHandler

lambda_handler = CalendarHandler()
