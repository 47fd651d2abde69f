
import { has, t } from './texts.js';

export function label(value) {
  if (value === null || value === undefined || value === '') return '';
  return has(`label.${value}`) ? t(`label.${value}`) : sentence(value);
}

export function sentence(value) {
  const words = String(value).replaceAll('_', ' ').replace(/([a-z])([A-Z])/g, (_, a, b) => `${a} ${b.toLowerCase()}`);
  return upperFirst(words);
}

export function upperFirst(words) {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

export function position(value) {
  const key = `position.${value.replaceAll(' ', '_')}`;
  if (has(key)) return t(key);
  return value.length <= 3 ? value.toUpperCase() : sentence(value).replace(/^It /, 'IT ');
}

export function access(value, part = '') {
  return t(`access.${value}${part && `.${part}`}`);
}

export const titled = ({ number, title }) => [number, title].filter(Boolean).join(' ');

export function personName(person) {
  const name = [person?.firstName, person?.lastName].filter(Boolean).join(' ').trim();
  return name || person?.email || t('common.aFormerMember');
}

export function initials(name) {
  const words = name.split(/[\s.@_-]+/u).filter((word) => /^[\p{L}\p{N}]/u.test(word));
  const picked = words.length > 1 && !name.includes('@') ? [words[0], words.at(-1)] : words.slice(0, 1);
  return picked.map((word) => [...word][0].toLocaleUpperCase('en')).join('') || '?';
}

export function hue(name, count = 8) {
  let sum = 0;
  for (const sign of name) sum = (sum * 31 + sign.codePointAt(0)) % 1_000_003;
  return sum % count;
}

const ENTITIES = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#x27;': "'", '&#39;': "'" };

export function unescaped(text) {
  return text.replace(/&(amp|lt|gt|quot|#x27|#39);/g, (entity) => ENTITIES[entity]);
}

export function auditAction(action, details = null) {
  if (action === 'memberChange' && !details?.fields) return t('audit.joined');
  return has(`audit.${action}`) ? t(`audit.${action}`) : sentence(action);
}

export function auditDetails(details) {
  const { title, from, to, fields, memberEmail, positions } = details ?? {};
  const parts = [title, memberEmail, from && to ? `${label(from)} → ${label(to)}` : ''];
  if (Array.isArray(fields) && fields.length) parts.push(t('words.changedFields', { fields: fields.join(', ') }));
  if (Array.isArray(positions) && positions.length) parts.push(positions.join(', '));
  return parts.filter(Boolean).join(' · ');
}
