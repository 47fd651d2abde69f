// Tables as CSV files.

/** Returns rows as CSV (RFC 4180). A cell that a spreadsheet would compute is marked as text. */
export function csv(rows) {
  return rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('');
}

function cell(value) {
  const text = String(value ?? '').replace(/^(?=[=+\-@\t\r])/, "'");
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Lets the browser save a text as a file. */
export function save(name, text, type = 'text/csv') {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
