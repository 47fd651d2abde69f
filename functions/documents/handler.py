"""Documents, board packs, files of minutes and documents of the minute book among them."""

from governance.http.api import Api
from governance.http.comments.comment_routes import declare_comments
from governance.http.route import CONFLICT
from governance.scopes import Scope, Tier
from governance.usecases.comments import document_comments
from governance.usecases.documents import document_versions, documents
from governance.usecases.meetings import minute_book_files, minutes_files
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
MINUTES_FILE = BOARD + "/meetings/{meetingId}/minutes/document"
BOOK_DOCUMENT = BOARD + "/minute-book/{year}/document"
PUBLICATION = PACK + "/publication"

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
writes.post(PACK, board_packs.create_meeting_pack, codes=CONFLICT)
writes.post(MINUTES_FILE, minutes_files.create_minutes_document, tier=Tier.MANAGER, codes=CONFLICT, agents=False)
writes.post(BOOK_DOCUMENT, minute_book_files.create_minute_book_document, tier=Tier.MANAGER, agents=False)
writes.post(PUBLICATION, board_packs.publish_meeting_pack, status=200, codes=CONFLICT, agents=False)

declare_comments(api, DOCUMENT, READ, WRITE, document_comments.COMMENTS, document_comments.create_document_comment)

lambda_handler = api
