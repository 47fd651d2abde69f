
import { NEEDS } from './needs.js';

const asked = new Set();

export function preload(name) {
  for (const path of NEEDS[name] ?? []) {
    if (asked.has(path)) continue;
    asked.add(path);
    const link = document.createElement('link');
    link.rel = 'modulepreload';
    link.href = new URL(`../${path}`, import.meta.url).href;
    document.head.append(link);
  }
}
