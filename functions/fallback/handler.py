"""Answers 404 to every path that no other function serves."""

from governance.http.api import Api

api = Api()

lambda_handler = api
