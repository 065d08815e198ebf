import { render } from 'preact';
import './console.css';
import { PortalApp } from './portal/app.tsx';
import { refreshOften } from './portal/refresh.ts';
import { takeLinkFromAddress } from './portal/visitor.ts';
import { followLinks } from './router.ts';
import { followTime } from './session.ts';

takeLinkFromAddress();
// Pasted into a tab that has the page: only the fragment changes, and nothing is loaded.
addEventListener('hashchange', takeLinkFromAddress);
followLinks();
followTime();
refreshOften();
render(<PortalApp />, document.getElementById('console')!);
