// A document without a browser: happy-dom's, on the day of the API document's examples. It is imported before the modules of
// the pages, which take the document as they find it.

import { mock } from 'node:test';

import { Window } from 'happy-dom';

mock.timers.enable({ apis: ['Date'], now: Date.parse('2026-11-26T12:00:00Z') });
const window = new Window({ url: 'https://pages.test/' });
const { HTMLElement } = window;

HTMLElement.prototype.scrollIntoView = () => {}; // happy-dom lacks it: nothing is anywhere on a screen
Intl.supportedValuesOf = () => ['America/New_York', 'Asia/Tokyo', 'Europe/Paris']; // hundreds of options take happy-dom a second
globalThis.ResizeObserver = class { observe() {} unobserve() {} disconnect() {} };

const OBJECTS = ['document', 'location', 'history', 'localStorage', 'sessionStorage', 'Node', 'FormData', 'Event', 'KeyboardEvent'];
const FUNCTIONS = ['addEventListener', 'removeEventListener', 'requestAnimationFrame', 'matchMedia'];
for (const name of OBJECTS) Object.defineProperty(globalThis, name, { value: window[name], configurable: true, writable: true });
for (const name of FUNCTIONS) globalThis[name] = window[name].bind(window);
