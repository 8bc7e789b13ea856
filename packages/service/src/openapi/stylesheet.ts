/**
 * The stylesheet of the documentation pages. It uses system fonts, the reader's light or dark mode, and can be printed.
 */
export const STYLESHEET = `:root {
  color-scheme: light dark;
  --text: light-dark(#1c2430, #dfe4ea);
  --soft: light-dark(#56616e, #9aa6b3);
  --line: light-dark(#d9dee4, #333d49);
  --back: light-dark(#ffffff, #12171d);
  --raised: light-dark(#f4f6f8, #1a2129);
  --link: light-dark(#0b5cad, #7db8f5);
}
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; }
body {
  margin: 0;
  display: grid;
  grid-template-columns: 18rem minmax(0, 1fr);
  color: var(--text);
  background: var(--back);
  font: 1rem/1.55 system-ui, sans-serif;
}
a { color: var(--link); }
a:focus-visible, pre:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
.skip { position: absolute; left: -99rem; }
.skip:focus { left: 1rem; top: 1rem; padding: 0.5rem; background: var(--back); z-index: 1; }
nav {
  position: sticky;
  top: 0;
  height: 100vh;
  overflow: auto;
  padding: 1.5rem 1rem;
  border-right: 1px solid var(--line);
  background: var(--raised);
  font-size: 0.875rem;
}
nav p { margin: 1rem 0 0.25rem; font-weight: 600; }
nav p:first-child { margin-top: 0; }
nav ul { margin: 0; padding: 0; list-style: none; }
nav li a { display: block; padding: 0.2rem 0.5rem; }
nav a { color: inherit; text-decoration: none; }
nav a:hover { text-decoration: underline; }
main { max-width: 62rem; padding: 1.5rem 2.5rem 6rem; }
h1 { margin-top: 0; }
h2 { margin-top: 3.5rem; padding-bottom: 0.3rem; border-bottom: 1px solid var(--line); }
h3 { margin: 2.5rem 0 0.5rem; font-size: 1.2rem; }
h4 { margin: 1.5rem 0 0.5rem; }
h2 a, h3 a { color: inherit; text-decoration: none; }
h2 a:hover, h3 a:hover { text-decoration: underline; }
.summary { font-size: 1.15rem; color: var(--soft); }
code, pre { font-family: ui-monospace, monospace; font-size: 0.875em; }
:not(pre) > code { padding: 0.1em 0.3em; border-radius: 3px; background: var(--raised); overflow-wrap: break-word; }
pre {
  padding: 0.9rem 1rem;
  border: 1px solid var(--line);
  border-radius: 6px;
  background: var(--raised);
  overflow: auto;
  max-height: 32rem;
  white-space: pre-wrap;
  overflow-wrap: break-word;
}
.route { font-size: 1.05rem; }
.method { display: inline-block; min-width: 4rem; font-size: 0.8rem; letter-spacing: 0.04em; }
.method.get { color: light-dark(#0b6b3a, #6ed29b); }
.method.post { color: light-dark(#0b5cad, #7db8f5); }
.method.put, .method.options { color: light-dark(#8a5200, #eab464); }
.method.delete { color: light-dark(#a8201a, #f58f89); }
table { width: 100%; border-collapse: collapse; font-size: 0.9375rem; }
th, td { padding: 0.4rem 0.75rem 0.4rem 0; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
thead th, small, .type { color: var(--soft); }
thead th { font-weight: 500; }
tbody th { font-weight: 400; }
.answer { margin: 0.6rem 0; }
.answer b { display: inline-block; min-width: 3.2rem; }
.answer.error { margin: 0.15rem 0; font-size: 0.9375rem; color: var(--soft); }
section.schema { margin-top: 2rem; }
section:target > h2, section:target > h3, article:target > h3, li:target { text-decoration: underline; }
@media (max-width: 56rem) {
  body { display: block; }
  nav { position: static; height: auto; max-height: 40vh; border-right: 0; border-bottom: 1px solid var(--line); }
  main { padding: 1.5rem 1rem 4rem; }
  table { display: block; overflow-x: auto; }
}
@media print {
  body { display: block; }
  nav { display: none; }
  pre { max-height: none; }
}
`;
