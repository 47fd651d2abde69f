
const LINK = /^(https?:\/\/[^\s/]+\.\S+|(tel|sip|msteams|zoommtg):\S+)$/i;
const HOST = /^[a-z0-9-]+(\.[a-z0-9-]+)+(\/\S*)?$/i;

export function isLink(text) {
  return LINK.test(text);
}

export function isHost(text) {
  return HOST.test(text);
}
