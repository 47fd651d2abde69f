
import { Hub } from './lib/live-hub.js';

const hub = new Hub();

addEventListener('connect', ({ ports: [port] }) => hub.add(port));
