
export function csv(rows, { isPlain = false } = {}) {
  return rows.map((row) => `${row.map((value) => cell(value, isPlain)).join(',')}\r\n`).join('');
}

function cell(value, isPlain) {
  const written = String(value ?? '');
  const text = isPlain ? written : written.replace(/^(?=[=+\-@\t\r])/, "'");
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

export function save(name, text, type = 'text/csv') {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
