"""Has a page's next requests answered with errors, as if the service or the connection had failed."""

import json
from typing import Any

from tests.pages.app.browser import Page

FAULTS = """(() => {
    const real = window.fetch;
    window.faults = JSON.parse(sessionStorage.getItem('faults') ?? '[]');
    window.fetch = (address, options) => {
      const method = options?.method ?? 'GET';
      const index = window.faults.findIndex((each) => String(address).includes(each.path) && each.method === method);
      if (index < 0) return real(address, options);
      const [fault] = window.faults.splice(index, 1);
      sessionStorage.setItem('faults', JSON.stringify(window.faults));
      if (fault.status === 0) return Promise.reject(new TypeError('Failed to fetch'));
      return Promise.resolve(new Response(JSON.stringify(fault.body), {status: fault.status, headers: fault.headers}));
    };
})();"""
"""Answers the next requests whose address holds a text; everything else goes to the service."""


def fault(page: Page, method: str, path: str, status: int, message: str = "", **more: Any) -> None:
    """Has the next such request answered with an error."""
    headers = {"Retry-After": str(more.pop("wait"))} if "wait" in more else {}
    error = {
        "code": more.pop("code", ""),
        "message": message,
        "status": status,
        "requestId": None,
        "details": more or None,
    }
    made = {"method": method, "path": path, "status": status, "body": {"error": error}, "headers": headers}
    page.chrome.execute_script("window.faults.push(JSON.parse(arguments[0]))", json.dumps(made))
