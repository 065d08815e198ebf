import { render } from 'preact';
import { App } from './app.tsx';
import './console.css';
import { followLinks } from './router.ts';
import { followOtherTabs, followTime } from './session.ts';
import { takeFromAddress } from './signing-in.ts';
import { followChanges } from './stream.ts';

takeFromAddress();
// A link pasted into an open tab of the console changes only the fragment and loads nothing.
addEventListener('hashchange', takeFromAddress);
followLinks();
followOtherTabs();
followChanges();
followTime();
render(<App />, document.getElementById('console')!);
