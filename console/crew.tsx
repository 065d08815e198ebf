import { render } from 'preact';
import './crew.css';
import { CrewApp } from './crew/app.tsx';
import { readKept, takeOverStorage } from './crew/kept.ts';
import { keepPage } from './crew/offline.ts';
import { goOn, start, takeLinkFromAddress } from './crew/work.ts';

takeLinkFromAddress();
addEventListener('hashchange', () => {
  takeLinkFromAddress();
  void start();
});
void takeOverStorage()
  .then(readKept)
  .then(() => {
    goOn();
    void start();
  });
void keepPage();
render(<CrewApp />, document.getElementById('console')!);
