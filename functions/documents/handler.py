"""Documents, and the committees that have documents of their own."""

from governance.errors import Code
from governance.http.api import Api
from governance.http.route import Audience
from governance.scopes import Scope, Tier
from governance.usecases import committees, documents

READ, WRITE = Scope.DOCUMENTS_READ, Scope.DOCUMENTS_WRITE
DOCUMENTS = "/api/v1/boards/{boardId}/documents"
DOCUMENT = DOCUMENTS + "/{documentId}"
COMMITTEES = "/api/v1/boards/{boardId}/committees"
COMMITTEE = COMMITTEES + "/{committeeId}"

api = Api()
api.get(DOCUMENTS, documents.list_documents, scope=READ)
api.post(DOCUMENTS, documents.create_document, scope=WRITE, tier=Tier.COLLABORATOR, extension=True)
api.get(DOCUMENT, documents.get_document, scope=READ)
api.patch(DOCUMENT, documents.update_document, scope=WRITE, tier=Tier.COLLABORATOR, extension=True)
api.delete(DOCUMENT, documents.delete_document, scope=WRITE, tier=Tier.COLLABORATOR, extension=True)
api.get(COMMITTEES, committees.list_committees, scope=Scope.BOARDS_READ, extension=True)
api.post(
    COMMITTEES,
    committees.create_committee,
    scope=Scope.BOARDS_WRITE,
    audience=Audience.USER,
    tier=Tier.ADMIN,
    extension=True,
    codes=(Code.CONFLICT,),
)
api.patch(
    COMMITTEE,
    committees.update_committee,
    scope=Scope.BOARDS_WRITE,
    audience=Audience.USER,
    tier=Tier.ADMIN,
    extension=True,
    codes=(Code.CONFLICT,),
)
api.delete(
    COMMITTEE,
    committees.delete_committee,
    scope=Scope.BOARDS_WRITE,
    audience=Audience.USER,
    tier=Tier.ADMIN,
    extension=True,
    codes=(Code.CONFLICT,),
)

lambda_handler = api
