// `node measure.mjs <address of the service> <session> <path>…`: prints how fast Lighthouse finds each page, of 100, and its figures:
// on a desktop, and on a slow phone in a slow network, as it simulates them.

import { execFileSync } from 'node:child_process';
import lighthouse from 'lighthouse';
import desktop from 'lighthouse/core/config/desktop-config.js';
import puppeteer from 'puppeteer-core';

const [root, session, ...paths] = process.argv.slice(2);
const FIGURES = ['first-contentful-paint', 'largest-contentful-paint', 'total-blocking-time', 'cumulative-layout-shift', 'speed-index'];
const DEVICES = { desktop, phone: undefined };
const OPTIONS = { onlyCategories: ['performance'], disableStorageReset: true, logLevel: 'error' };
const executablePath = execFileSync('which', ['chromium'], { encoding: 'utf8' }).trim();

const browser = await puppeteer.launch({ executablePath, args: ['--headless=new', '--no-sandbox'] });
for (const path of paths) {
  for (const [device, config] of Object.entries(DEVICES)) {
    const page = await browser.newPage();
    await (await page.createCDPSession()).send('Network.clearBrowserCache');
    await page.evaluateOnNewDocument((token) => token && sessionStorage.setItem('board-governance.session', JSON.stringify({ token })), path === '/' ? '' : session);
    const { lhr } = await lighthouse(root + path, OPTIONS, config, page);
    const figures = FIGURES.map((name) => `${name} ${lhr.audits[name].displayValue}`).join(', ');
    console.log(`${Math.round(lhr.categories.performance.score * 100)} ${device} ${path}: ${figures}`);
    await page.close();
  }
}
await browser.close();
