import { render } from 'preact';
import { App } from './app.tsx';
import './console.css';
import { followLinks } from './router.ts';
import { followTime, takeTokenFromAddress } from './session.ts';
import { followChanges } from './stream.ts';

takeTokenFromAddress();
// A link pasted into an open tab of the console changes only the fragment and loads nothing.
addEventListener('hashchange', takeTokenFromAddress);
followLinks();
followChanges();
followTime();
render(<App />, document.getElementById('console')!);
