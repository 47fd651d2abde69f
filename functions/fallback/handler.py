"""Whatever no other function serves: 404, in the envelope."""

from governance.http.api import Api

api = Api()

lambda_handler = api
