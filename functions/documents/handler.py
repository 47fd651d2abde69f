"""Documents, board packs among them, and the committees that have documents of their own."""

from governance.http.api import Api
from governance.http.comments.comment_routes import declare_comments
from governance.http.route import CONFLICT, Audience
from governance.scopes import Scope, Tier
from governance.usecases.comments import document_comments
from governance.usecases.committees import committees
from governance.usecases.documents import document_versions, documents
from governance.usecases.packs import board_packs

READ, WRITE = Scope.DOCUMENTS_READ, Scope.DOCUMENTS_WRITE
BOARD = "/api/v1/boards/{boardId}"
DOCUMENTS = BOARD + "/documents"
DOCUMENT = DOCUMENTS + "/{documentId}"
VERSIONS = DOCUMENT + "/versions"
VERSION = VERSIONS + "/{versionId}"
COMPLETE = VERSION + "/complete"
CONTENT = VERSION + "/content"
PACK = BOARD + "/meetings/{meetingId}/pack"
COMMITTEES = BOARD + "/committees"
COMMITTEE = COMMITTEES + "/{committeeId}"

api = Api()
reads = api.group(scope=READ, extension=True)
writes = api.group(scope=WRITE, tier=Tier.COLLABORATOR, extension=True)
api.get(DOCUMENTS, documents.list_documents, scope=READ)
writes.post(DOCUMENTS, documents.create_document)
api.get(DOCUMENT, documents.get_document, scope=READ)
writes.patch(DOCUMENT, documents.update_document)
writes.delete(DOCUMENT, documents.delete_document)
reads.get(VERSIONS, document_versions.list_document_versions)
writes.post(VERSIONS, document_versions.create_document_version, codes=CONFLICT)
reads.get(VERSION, document_versions.get_document_version)
writes.delete(VERSION, document_versions.delete_document_version)
writes.post(COMPLETE, document_versions.complete_document_version, status=200, codes=CONFLICT)
reads.get(CONTENT, document_versions.get_document_version_content, codes=CONFLICT)
writes.post(PACK, board_packs.create_board_pack, codes=CONFLICT)

api.get(COMMITTEES, committees.list_committees, scope=Scope.BOARDS_READ, extension=True)
by_admin = api.group(scope=Scope.BOARDS_WRITE, audience=Audience.USER, tier=Tier.ADMIN, extension=True, codes=CONFLICT)
by_admin.post(COMMITTEES, committees.create_committee)
by_admin.patch(COMMITTEE, committees.update_committee)
by_admin.delete(COMMITTEE, committees.delete_committee)

declare_comments(api, DOCUMENT, READ, WRITE, document_comments.COMMENTS, document_comments.create_document_comment)

lambda_handler = api
