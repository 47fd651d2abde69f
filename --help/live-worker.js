// The worker that all tabs of this browser share: it holds their connection to the live channel.

import { Hub } from './lib/live-hub.js';

const hub = new Hub();

addEventListener('connect', ({ ports: [port] }) => hub.add(port));
