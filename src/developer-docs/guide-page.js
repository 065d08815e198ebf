// Runs in the reader's browser, on the pages of guides: search, copy buttons, the list of contents beside wide pages.
// The pages can be read without it.

const WORDS = {
  en: { copy: 'Copy', copied: 'Copied', none: 'Nothing found' },
  ar: { copy: 'نسخ', copied: 'تم النسخ', none: 'لا توجد نتائج' },
};
const words = WORDS[document.documentElement.lang] ?? WORDS.en;

// Wide pages have room for the contents; narrow ones show them on request.
const contents = document.querySelector('.contents');
const wide = matchMedia('(min-width: 75rem)');
const fit = () => {
  if (contents) contents.open = wide.matches;
};
wide.addEventListener('change', fit);
fit();

// Closes the menu of guides on navigation.
const menu = document.querySelector('.menu');
document.addEventListener('click', (event) => {
  if (!menu.contains(event.target)) menu.open = false;
});
document.addEventListener('keydown', (event) => {
  if (event.key === 'Escape') menu.open = false;
});

// The clipboard exists on secure pages only.
if (navigator.clipboard) {
  for (const block of document.querySelectorAll('.code')) {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'copy';
    button.textContent = words.copy;
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(block.querySelector('code').textContent);
      button.textContent = words.copied;
      setTimeout(() => {
        button.textContent = words.copy;
      }, 2000);
    });
    block.append(button);
  }
}

// ---------------------------------------------------------------------------
// Search

const MAX_RESULTS = 12;
const form = document.querySelector('.search');
const input = form.querySelector('input');
const list = form.querySelector('.found');
form.hidden = false;

/** The index, loaded with the first search. */
let loading;
const load = () => {
  loading ??= (async () => {
    const [{ default: MiniSearch }, entries] = await Promise.all([
      import(form.dataset.module),
      fetch(form.dataset.entries).then((response) => response.json()),
    ]);
    const index = new MiniSearch({
      fields: ['title', 'text'],
      storeFields: ['guide', 'title', 'text', 'language'],
      searchOptions: {
        boost: { title: 3 },
        prefix: true,
        fuzzy: (term) => (term.length > 5 ? 0.2 : false),
        combineWith: 'AND',
        boostDocument: (_id, _term, { language }) => (language === document.documentElement.lang ? 2 : 1),
      },
    });
    index.addAll(entries);
    return index;
  })();
  return loading;
};

/** The words around the first match. */
function excerpt({ text, match }) {
  const lower = text.toLowerCase();
  const places = Object.keys(match)
    .map((term) => lower.indexOf(term))
    .filter((at) => at >= 0);
  const from = Math.max(0, Math.min(...places, text.length) - 40);
  const start = places.length === 0 || from === 0 ? 0 : text.indexOf(' ', from) + 1;
  const end = text.length <= start + 120 ? text.length : text.lastIndexOf(' ', start + 120);
  return `${start > 0 ? '… ' : ''}${text.slice(start, end)}${end < text.length ? ' …' : ''}`;
}

function element(name, text, properties = {}) {
  return Object.assign(document.createElement(name), { textContent: text }, properties);
}

function show(found) {
  const items = found.slice(0, MAX_RESULTS).map((entry) => {
    const link = element('a', '', { href: entry.id, lang: entry.language });
    link.dir = entry.language === 'ar' ? 'rtl' : 'ltr';
    link.append(
      element('strong', entry.title),
      element('small', entry.guide),
      element('span', excerpt(entry)),
    );
    const item = document.createElement('li');
    item.append(link);
    return item;
  });
  list.replaceChildren(...(items.length > 0 ? items : [element('li', words.none, { className: 'none' })]));
  list.hidden = false;
}

const hide = () => {
  list.hidden = true;
};

input.addEventListener('focus', load);
input.addEventListener('input', async () => {
  const index = await load();
  const query = input.value.trim();
  if (query === '') hide();
  else show(index.search(query));
});
form.addEventListener('submit', (event) => {
  event.preventDefault();
  list.querySelector('a')?.click();
});
form.addEventListener('keydown', (event) => {
  if (event.key === 'Escape') {
    hide();
    input.focus();
  }
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
  const stops = [input, ...list.querySelectorAll('a')];
  const next = stops[stops.indexOf(document.activeElement) + (event.key === 'ArrowDown' ? 1 : -1)];
  if (next) {
    event.preventDefault();
    next.focus();
  }
});
list.addEventListener('click', hide);
document.addEventListener('click', (event) => {
  if (!form.contains(event.target)) hide();
});
document.addEventListener('keydown', (event) => {
  const isTyping = /^(?:INPUT|TEXTAREA|SELECT)$/.test(document.activeElement?.tagName ?? '');
  if (event.key !== '/' || isTyping) return;
  event.preventDefault();
  input.focus();
});
