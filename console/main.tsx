import { render } from 'preact';
import { App } from './app.tsx';
import './console.css';
import { followLinks } from './router.ts';
import { followTime, takeTokenFromAddress } from './session.ts';
import { followChanges } from './stream.ts';

takeTokenFromAddress();
// Pasted into a tab that has the page: only the fragment changes, and nothing is loaded.
addEventListener('hashchange', takeTokenFromAddress);
followLinks();
followChanges();
followTime();
render(<App />, document.getElementById('console')!);
