"""Documents, and the committees that have documents of their own."""

from governance.errors import Code
from governance.http.api import Api
from governance.http.route import Audience
from governance.models.base import Deleted
from governance.models.committee import Committee, CommitteeCreate, CommitteePatch
from governance.models.document import Document, DocumentCreate, DocumentPatch, DocumentsQuery
from governance.models.page import PageQuery
from governance.scopes import Scope, Tier
from governance.usecases import committees, documents

READ, WRITE = Scope.DOCUMENTS_READ, Scope.DOCUMENTS_WRITE
DOCUMENTS = "/api/v1/boards/{boardId}/documents"
DOCUMENT = DOCUMENTS + "/{documentId}"
COMMITTEES = "/api/v1/boards/{boardId}/committees"
COMMITTEE = COMMITTEES + "/{committeeId}"

api = Api()
api.get(
    DOCUMENTS,
    documents.list_documents,
    scope=READ,
    query=DocumentsQuery,
    shape="collection",
    response_model=Document,
)
api.post(
    DOCUMENTS,
    documents.create_document,
    scope=WRITE,
    tier=Tier.COLLABORATOR,
    body=DocumentCreate,
    response_model=Document,
    extension=True,
)
api.get(DOCUMENT, documents.get_document, scope=READ, response_model=Document)
api.patch(
    DOCUMENT,
    documents.update_document,
    scope=WRITE,
    tier=Tier.COLLABORATOR,
    body=DocumentPatch,
    response_model=Document,
    extension=True,
)
api.delete(
    DOCUMENT,
    documents.delete_document,
    scope=WRITE,
    tier=Tier.COLLABORATOR,
    response_model=Deleted,
    extension=True,
)
api.get(
    COMMITTEES,
    committees.list_committees,
    scope=Scope.BOARDS_READ,
    query=PageQuery,
    shape="collection",
    response_model=Committee,
    extension=True,
)
api.post(
    COMMITTEES,
    committees.create_committee,
    scope=Scope.BOARDS_WRITE,
    audience=Audience.USER,
    tier=Tier.ADMIN,
    body=CommitteeCreate,
    response_model=Committee,
    extension=True,
    codes=(Code.CONFLICT,),
)
api.patch(
    COMMITTEE,
    committees.update_committee,
    scope=Scope.BOARDS_WRITE,
    audience=Audience.USER,
    tier=Tier.ADMIN,
    body=CommitteePatch,
    response_model=Committee,
    extension=True,
    codes=(Code.CONFLICT,),
)
api.delete(
    COMMITTEE,
    committees.delete_committee,
    scope=Scope.BOARDS_WRITE,
    audience=Audience.USER,
    tier=Tier.ADMIN,
    response_model=Deleted,
    extension=True,
    codes=(Code.CONFLICT,),
)

lambda_handler = api
