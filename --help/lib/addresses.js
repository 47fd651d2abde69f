
const NAMED = /(?:"[^"]*"|[^<>,;\n"]*)\s*<\s*([^<>\s]+)\s*>/g;

export function readAddresses(text) {
  const parts = text.replace(NAMED, (_, address) => `,${address},`).split(/[\n,;]/).map((part) => part.trim()).filter(Boolean);
  const all = parts.flatMap((part) => (part.includes('@') ? part.split(/\s+/) : [part]));
  return [...new Set(all.map((each) => each.toLowerCase()))];
}
