// The media types of files that documents may have, by how their names end.

const TYPES = {
  csv: 'text/csv',
  doc: 'application/msword',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  gif: 'image/gif',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  md: 'text/plain',
  odp: 'application/vnd.oasis.opendocument.presentation',
  ods: 'application/vnd.oasis.opendocument.spreadsheet',
  odt: 'application/vnd.oasis.opendocument.text',
  pdf: 'application/pdf',
  png: 'image/png',
  ppt: 'application/vnd.ms-powerpoint',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  text: 'text/plain',
  tif: 'image/tiff',
  tiff: 'image/tiff',
  txt: 'text/plain',
  webp: 'image/webp',
  xls: 'application/vnd.ms-excel',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
};
const SHOWN = ['application/pdf', 'image/jpeg', 'image/png', 'image/webp', 'text/plain'];

/** How the names of files end that may be chosen, for a file field. */
export const ENDINGS = Object.keys(TYPES).map((ending) => `.${ending}`).join(',');

/** Returns the media type of a file by its name, whatever the system calls it; empty for a file that is not accepted. */
export function typeOf(name) {
  const [, ending] = /\.(\w+)$/.exec(name) ?? [];
  return TYPES[ending?.toLowerCase()] ?? '';
}

/** Whether a browser shows files of a type, and never runs them. */
export const isShown = (type) => SHOWN.includes(type);

/** Whether a file is shown by the browser's own viewer of PDF, which works in no sandbox. */
export const isPdf = (type) => type === 'application/pdf';
