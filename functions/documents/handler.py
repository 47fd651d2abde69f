"""Documents, board packs among them, and the committees that have documents of their own."""

from governance.errors import Code
from governance.http.api import Api
from governance.http.comment_routes import CommentUseCases, declare_comments
from governance.http.route import Audience
from governance.scopes import Scope, Tier
from governance.usecases import board_packs, committees, document_comments, document_versions, documents

READ, WRITE = Scope.DOCUMENTS_READ, Scope.DOCUMENTS_WRITE
DOCUMENTS = "/api/v1/boards/{boardId}/documents"
DOCUMENT = DOCUMENTS + "/{documentId}"
VERSIONS = DOCUMENT + "/versions"
VERSION = VERSIONS + "/{versionId}"
PACK = "/api/v1/boards/{boardId}/meetings/{meetingId}/pack"
COMMITTEES = "/api/v1/boards/{boardId}/committees"
COMMITTEE = COMMITTEES + "/{committeeId}"

api = Api()
api.get(DOCUMENTS, documents.list_documents, scope=READ)
api.post(DOCUMENTS, documents.create_document, scope=WRITE, tier=Tier.COLLABORATOR, extension=True)
api.get(DOCUMENT, documents.get_document, scope=READ)
api.patch(DOCUMENT, documents.update_document, scope=WRITE, tier=Tier.COLLABORATOR, extension=True)
api.delete(DOCUMENT, documents.delete_document, scope=WRITE, tier=Tier.COLLABORATOR, extension=True)
api.get(VERSIONS, document_versions.list_document_versions, scope=READ, extension=True)
api.post(
    VERSIONS,
    document_versions.create_document_version,
    scope=WRITE,
    tier=Tier.COLLABORATOR,
    extension=True,
    codes=(Code.CONFLICT,),
)
api.get(VERSION, document_versions.get_document_version, scope=READ, extension=True)
api.delete(VERSION, document_versions.delete_document_version, scope=WRITE, tier=Tier.COLLABORATOR, extension=True)
api.post(
    VERSION + "/complete",
    document_versions.complete_document_version,
    scope=WRITE,
    tier=Tier.COLLABORATOR,
    status=200,
    extension=True,
    codes=(Code.CONFLICT,),
)
api.get(
    VERSION + "/content",
    document_versions.get_document_version_content,
    scope=READ,
    extension=True,
    codes=(Code.CONFLICT,),
)
api.post(
    PACK,
    board_packs.create_board_pack,
    scope=WRITE,
    tier=Tier.COLLABORATOR,
    extension=True,
    codes=(Code.CONFLICT,),
)
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
declare_comments(
    api,
    DOCUMENT,
    READ,
    WRITE,
    CommentUseCases(
        document_comments.list_document_comments,
        document_comments.create_document_comment,
        document_comments.update_document_comment,
        document_comments.delete_document_comment,
        document_comments.resolve_document_comment,
        document_comments.reopen_document_comment,
    ),
)

lambda_handler = api
