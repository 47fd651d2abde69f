"""Series of meetings, and their occurrences."""

from governance.http.api import Api
from governance.http.route import CONFLICT
from governance.scopes import Scope, Tier
from governance.usecases.series import occurrences, series

BOARD = "/api/v1/boards/{boardId}"
ALL = BOARD + "/series"
ONE = ALL + "/{seriesId}"
OCCURRENCES = ONE + "/occurrences"
OCCURRENCE = OCCURRENCES + "/{key}"

api = Api()
reads = api.group(scope=Scope.MEETINGS_READ, extension=True, agents=False)
writes = api.group(scope=Scope.MEETINGS_WRITE, extension=True, agents=False, tier=Tier.MANAGER)
reads.get(ALL, series.list_series)
writes.post(ALL, series.create_series, codes=CONFLICT)
reads.get(ONE, series.get_series)
writes.patch(ONE, series.update_series, codes=CONFLICT)
writes.delete(ONE, series.delete_series)
reads.get(OCCURRENCES, occurrences.list_series_occurrences)
writes.put(OCCURRENCE, occurrences.put_series_occurrence, codes=CONFLICT)
writes.delete(OCCURRENCE, occurrences.delete_series_occurrence, codes=CONFLICT)
writes.post(OCCURRENCE + "/open", occurrences.open_series_occurrence, answers_existing=True, codes=CONFLICT)
reads.get(BOARD + "/meetings/{meetingId}/series", series.get_meeting_series)

lambda_handler = api
