import { render } from 'preact';
import './console.css';
import { PortalApp } from './portal/app.tsx';
import { refreshOften } from './portal/refresh.ts';
import { takeLinkFromAddress } from './portal/visitor.ts';
import { followLinks } from './router.ts';
import { followTime } from './session.ts';

takeLinkFromAddress();
// A link pasted into an open tab of the portal changes only the fragment and loads nothing.
addEventListener('hashchange', takeLinkFromAddress);
followLinks();
followTime();
refreshOften();
render(<PortalApp />, document.getElementById('console')!);
