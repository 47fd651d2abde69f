// The first script of a page, small: it asks for the texts and for what the address needs, while the main script is on its way.

import { ROUTES } from '../routes.js';
import { preload } from './preload.js';
import { match } from './router.js';
import './texts.js';

preload(match(ROUTES, location.pathname)?.route.room);
