"""The MCP endpoint: the operations of the API as tools for agents, the KPI catalog as resources."""

from functools import cache
from pathlib import Path

from governance.mcp import catalog, tools
from governance.mcp.catalog import Catalog
from governance.mcp.server import McpEndpoint
from governance.mcp.tools import Toolbox

_FOLDER = Path(__file__).parent


@cache
def _tools() -> Toolbox:
    """Reads the tools, which `make openapi` draws from the routes."""
    return tools.parse((_FOLDER / "tools.json").read_text(encoding="utf-8"))


@cache
def _catalog() -> Catalog:
    """Reads the newest release of the catalog, which `make openapi` writes next to the tools."""
    return catalog.parse((_FOLDER / "catalog.json").read_text(encoding="utf-8"))


lambda_handler = McpEndpoint(_tools, _catalog)
