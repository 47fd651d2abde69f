// The address of a call: what can be opened by a click, and what looks like it.

const LINK = /^(https?:\/\/[^\s/]+\.\S+|(tel|sip|msteams|zoommtg):\S+)$/i;
const HOST = /^[a-z0-9-]+(\.[a-z0-9-]+)+(\/\S*)?$/i;

/** Whether a text is an address that a browser or a telephone opens. */
export function isLink(text) {
  return LINK.test(text);
}

/** Whether a text lacks nothing but `https://`. */
export function isHost(text) {
  return HOST.test(text);
}
