import { render } from 'preact';
import { App } from './app.tsx';
import './console.css';
import { followLinks } from './router.ts';
import { followTime, takeTokenFromAddress } from './session.ts';
import { followChanges } from './stream.ts';

takeTokenFromAddress();
followLinks();
followChanges();
followTime();
render(<App />, document.getElementById('console')!);
